"""A continuous benchmark of Spring Boot's embedded servers."""

import os

__version__ = "0.1.0"
# numpy and scipy each bring a BLAS, which would start a thread for each CPU: these wait in a loop
# for matrices larger than any here
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
