package dev.springbench.common;

/** A row of the table {@code users}, and the document behind {@code /users/{id}}. */
public record User(int id, String name, String email, String city, long createdAtEpochS) {}
