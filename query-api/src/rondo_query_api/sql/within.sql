-- Longest time of the statements of this transaction.
select set_config('statement_timeout', %(milliseconds)s, true)
