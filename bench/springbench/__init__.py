"""A continuous benchmark of Spring Boot's embedded servers."""

__version__ = "0.1.0"
