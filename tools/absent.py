#!/usr/bin/env python3
"""A test whose tool is missing is reported as skipped: absent.py TOOL"""
import sys

print(f"{sys.argv[1]} is not installed; ./dev setup installs it")
sys.exit(77)
