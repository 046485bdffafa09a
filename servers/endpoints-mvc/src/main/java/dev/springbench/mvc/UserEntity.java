package dev.springbench.mvc;

import dev.springbench.common.User;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** A user as JPA knows it. */
@Entity
@Table(name = "users")
class UserEntity {

    @Id
    private Integer id;

    private String name;
    private String email;
    private String city;

    @Column(name = "created_at_epoch_s")
    private long createdAtEpochS;

    protected UserEntity() {}

    User user() {
        return new User(id, name, email, city, createdAtEpochS);
    }
}
