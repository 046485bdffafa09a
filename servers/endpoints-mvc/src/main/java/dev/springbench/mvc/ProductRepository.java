package dev.springbench.mvc;

import java.util.Collection;
import java.util.List;
import org.springframework.data.repository.Repository;

interface ProductRepository extends Repository<ProductEntity, String> {

    List<ProductEntity> findBySkuIn(Collection<String> skus);
}
