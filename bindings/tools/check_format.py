"""Fails when gofmt would change a file. usage: check_format.py GOFMT FILE..."""
import subprocess
import sys

listed = subprocess.run([sys.argv[1], "-l", *sys.argv[2:]], capture_output=True, text=True, check=True).stdout
print(listed, end="")
sys.exit(1 if listed else 0)
