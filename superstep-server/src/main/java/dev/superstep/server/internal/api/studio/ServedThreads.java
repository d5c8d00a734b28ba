package dev.superstep.server.internal.api.studio;

import dev.superstep.server.internal.api.Service;
import dev.superstep.server.internal.api.StateEdits;
import dev.superstep.server.internal.api.ThreadAccess;
import dev.superstep.server.internal.http.Call;
import dev.superstep.server.internal.http.Granted;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.run.ThreadDocuments;
import dev.superstep.server.internal.wire.Trees;
import dev.superstep.server.security.Access;
import dev.superstep.service.DocumentKind;
import tools.jackson.databind.node.JsonNodeFactory;

/// The threads of the server for the studio, under the same rules as for all clients.
public final class ServedThreads implements StudioThreads {
  private final Service service;
  private final ThreadAccess access;
  private final StateEdits edits;

  public ServedThreads(Service service, ThreadAccess access, StateEdits edits) {
    this.service = service;
    this.access = access;
    this.edits = edits;
  }

  @Override
  public void admit(Call call, Access.Action action, String thread) {
    var granted = granted(call, action, thread);
    if (action != Access.Action.CREATE) {
      var _ = access.find(thread, granted);
      return;
    }
    var taken = service.documents().read(in -> in.find(DocumentKind.THREAD, thread));
    if (taken.isPresent())
      throw new HttpFailure(409, "There is a thread `" + thread + "` already.");
  }

  private Granted granted(Call call, Access.Action action, String thread) {
    var value = JsonNodeFactory.instance.objectNode().put("thread_id", thread);
    var access = new Access(Access.Resource.THREADS, action, Trees.json(value, "thread"));
    return service.guard().check(call, access);
  }

  @Override
  public void forked(Call call, String from, String as) {
    var granted = granted(call, Access.Action.CREATE, as);
    service
        .documents()
        .write(in -> {
          var known = ThreadDocuments.find(in, from);
          var metadata = granted.mark(ThreadDocuments.metadata(known));
          return in.insert(
              ThreadDocuments.made(in, as, metadata).in(known.status()).body(known.body()));
        });
    edits.settle(as);
  }

  @Override
  public void changed(String thread) {
    edits.settle(thread);
  }
}
