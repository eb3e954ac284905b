"""The question language: a typed table of operators, programs as data, and their exact execution.

Read `types` and `ops` (the table), `program` (parser and printer), `facts` (what programs are executed on), `handlers`
and `event_handlers` (one function per operator), the `executor`, `equivalence` (whether two programs
mean the same), and `trace_text` (its steps for people). `document` writes docs/programs.md from the table.
"""
