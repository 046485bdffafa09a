package dev.springbench.mvc;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** What can be ordered. */
@Entity
@Table(name = "products")
class ProductEntity {

    @Id
    private String sku;

    private int unitCents;

    protected ProductEntity() {}

    String sku() {
        return sku;
    }

    int unitCents() {
        return unitCents;
    }
}
