"""Runs tests again and again, beside a load that makes the machine as slow as another one."""
