"""Execution plans of MSCCL++ 0.9 in JSON: written from certified schedules, and played."""
