package dev.springbench.mvc;

import java.util.List;
import org.springframework.data.domain.Limit;
import org.springframework.data.repository.CrudRepository;

interface UserRepository extends CrudRepository<UserEntity, Integer> {

    List<UserEntity> findByIdGreaterThanOrderById(int after, Limit limit);
}
