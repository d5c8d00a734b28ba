package dev.superstep.sandbox;

/// The strictness with which a child process is confined, from least to most.
public enum Tier {
  /// T0: few variables, a process group of its own, limits of time and output. Files, network and
  /// other processes are open to it.
  PROCESS,

  /// T1: Landlock and a system call filter, installed on the thread that starts the process.
  LANDLOCK,

  /// T2: namespaces made by bubblewrap.
  BUBBLEWRAP
}
