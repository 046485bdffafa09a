"""Spring Boot's releases, measured one after the other as a history of their own."""
