package dev.superstep.sandbox;

import dev.superstep.sandbox.internal.linux.SyscallFilter;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Filters of system calls, each made once. There are few, since they depend on nothing but their
/// settings and the machine. Safe for many threads.
final class Filters {
  private final Machine machine;
  private final Map<SyscallFilter.Settings, SyscallFilter> made = new ConcurrentHashMap<>();

  Filters(Machine machine) {
    this.machine = machine;
  }

  SyscallFilter of(SyscallFilter.Settings settings) {
    return made.computeIfAbsent(settings, one -> SyscallFilter.of(machine.nativeCalls(), one));
  }
}
