package dev.superstep.server.internal.api.studio;

import dev.superstep.server.internal.http.Call;
import dev.superstep.server.security.Access;

/// The threads of the server, as the studio sees them: who may do what with them, and how they
/// become known to the other resources. Safe for many threads.
public interface StudioThreads {
  /// Lets a request through.
  ///
  /// @throws dev.superstep.server.internal.http.HttpFailure 403 if its sender may not do this, 404
  ///   if there is no thread of this name that they may see
  void admit(Call call, Access.Action action, String thread);

  /// Makes a thread known that was forked from another one, with the metadata of that.
  void forked(Call call, String from, String as);

  /// Makes known that a thread has another newest checkpoint, though no run has made it.
  void changed(String thread);
}
