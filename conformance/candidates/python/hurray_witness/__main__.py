"""`python3 -m hurray_witness` starts the worker. Owns nothing else."""

from .worker import main

main()
