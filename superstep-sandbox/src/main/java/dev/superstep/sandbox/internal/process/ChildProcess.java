package dev.superstep.sandbox.internal.process;

import java.io.InputStream;
import java.io.OutputStream;

/// A process that was started, however that was done. Safe for many threads.
public interface ChildProcess {
  /// Its number.
  long pid();

  /// Its standard input.
  OutputStream input();

  /// Its standard output.
  InputStream output();

  /// Its error output.
  InputStream errors();

  /// Waits for its end.
  ///
  /// @return whether it has ended
  boolean await(long nanos) throws InterruptedException;

  /// The way in which it has ended.
  ExitStatus status();

  /// Kills it and those that are known to belong to it. What got away is found afterwards.
  void kill();

  /// The number of processes that it left behind and that are killed already; negative if others
  /// have to look for them.
  int left();

  /// The way in which a process ended.
  ///
  /// @param code its exit code, or that of a shell for a signal
  /// @param signal the signal that ended it, or 0
  record ExitStatus(int code, int signal) {
    private static final int SIGNALLED = 128;

    /// From what `wait` says of it.
    static ExitStatus ofWait(int status) {
      int signal = status & 0x7f;
      return new ExitStatus(signal == 0 ? status >> 8 & 0xff : SIGNALLED + signal, signal);
    }

    /// From an exit code alone.
    static ExitStatus ofCode(int code) {
      return new ExitStatus(code, 0);
    }

    /// With the exit codes of shells read as signals.
    public ExitStatus asOfShell() {
      boolean isSignal = signal == 0 && code > SIGNALLED && code <= SIGNALLED + 64;
      return isSignal ? new ExitStatus(code, code - SIGNALLED) : this;
    }
  }
}
