"""The values of series.

A call of :class:`~.fetch.Fetch` takes four steps, each in the file of its name::

    choose     the archive whose step the result has           Choice
    plan       the slots to read, of this and other archives    ReadPlan
    load       the stored values of these slots, by SQL         Loaded
    assemble   the values of each series                        Fetched
"""
