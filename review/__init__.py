"""From evidence to decision: decisions that last, the pruning plan, the blind audit, rules for pipelines, and traces."""
