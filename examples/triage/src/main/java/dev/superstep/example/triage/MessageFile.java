package dev.superstep.example.triage;

/// A file of the inbox, as it was when the folder was listed.
record MessageFile(String name, long bytes) {}
