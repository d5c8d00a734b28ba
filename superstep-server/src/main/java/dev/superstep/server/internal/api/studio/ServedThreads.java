package dev.superstep.server.internal.api.studio;

import dev.superstep.json.Json;
import dev.superstep.server.internal.api.Service;
import dev.superstep.server.internal.api.StateEdits;
import dev.superstep.server.internal.api.ThreadAccess;
import dev.superstep.server.internal.documents.ThreadDocuments;
import dev.superstep.server.internal.http.Call;
import dev.superstep.server.internal.http.Granted;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.security.Access;
import dev.superstep.service.DocumentKind;

/// The threads that are documents of the service. Safe for many threads.
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
    // It may be another principal's, and without a state yet.
    var taken = service.documents().read(in -> in.find(DocumentKind.THREAD, thread));
    if (taken.isPresent()) throw new HttpFailure(409, "There is a thread of this name already.");
  }

  private Granted granted(Call call, Access.Action action, String thread) {
    var wanted = StudioReplies.object().put("thread_id", thread);
    var what = new Access(Access.Resource.THREADS, action, Json.parse(wanted.toString()));
    return service.guard().check(call, what);
  }

  @Override
  public void forked(Call call, String from, String as) {
    var granted = granted(call, Access.Action.CREATE, as);
    var metadata = granted.mark(ThreadDocuments.metadata(access.find(from, Granted.ALL)));
    service.documents().write(in -> in.insert(ThreadDocuments.made(in, as, metadata)));
    edits.settle(as);
  }

  @Override
  public void changed(String thread) {
    edits.settle(thread);
  }
}
