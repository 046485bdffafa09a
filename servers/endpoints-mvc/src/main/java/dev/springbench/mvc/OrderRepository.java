package dev.springbench.mvc;

import java.util.List;
import java.util.Optional;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.EntityGraph;
import org.springframework.data.repository.Repository;

interface OrderRepository extends Repository<OrderEntity, Long> {

    /** In one query. */
    @EntityGraph(attributePaths = "lines")
    Optional<OrderEntity> findWithLinesById(long id);

    List<OrderEntity> findByCustomerIdOrderByIdDesc(int customerId, Limit limit);

    OrderEntity save(OrderEntity order);
}
