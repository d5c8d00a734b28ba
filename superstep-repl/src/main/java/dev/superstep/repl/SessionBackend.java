package dev.superstep.repl;

import dev.superstep.repl.host.Capabilities;

/// An interpreter that sessions run in. Whatever it is, a session reaches the host by its
/// [Capabilities] alone, and each cell ends at the limits of the [ReplPolicy]. Safe for many
/// threads.
///
/// Since a session is made again by running its cells once more with the recorded answers, the
/// result of a cell must depend on its source, the variables and the answers alone.
public interface SessionBackend {
  /// Names it, such as `ragsh`.
  String name();

  /// The sentences that tell a model which language its cells are written in.
  String language();

  /// Opens a session with no variables but those that the host gives.
  CellSession open(ReplPolicy policy, Capabilities host);

  /// The interpreter of `.ragsh` in this process, which needs no sandbox.
  static SessionBackend ragsh() {
    return RagshBackend.RAGSH;
  }
}
