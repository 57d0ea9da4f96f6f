#!/usr/bin/env python3
"""Stands for tests whose tool is missing, so that they are reported as skipped: absent.py TOOL"""
import sys

print(f"{sys.argv[1]} is not installed; ./dev setup installs it")
sys.exit(77)
