package dev.superstep.server.internal.extension;

import dev.superstep.json.Json;
import dev.superstep.server.extension.RequestRefused;
import dev.superstep.server.extension.RunTopic;
import dev.superstep.server.extension.Subscription;
import dev.superstep.server.extension.Subscriptions;
import dev.superstep.server.internal.api.Subscribers;
import dev.superstep.server.internal.documents.ThreadDocuments;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.wire.Trees;
import dev.superstep.service.ServiceStore;
import java.util.List;

/// The webhooks of a topic, in the store of the server.
record StoredSubscriptions(ServiceStore store, String thread, RunTopic topic)
    implements Subscriptions {
  @Override
  public List<Subscription> all() {
    return store.read(in -> Subscribers.of(in, thread, topic));
  }

  @Override
  public boolean put(Subscription one, int most) {
    try {
      return store.write(in -> {
        // A run that ends meanwhile tells it, or has ended before.
        in.lock(ThreadDocuments.lock(thread));
        Subscribers.put(in, thread, topic, one, most);
        return Subscribers.isAtWork(in, thread, topic);
      });
    } catch (HttpFailure refused) {
      throw new RequestRefused(refused.status(), refused.text());
    }
  }

  @Override
  public boolean remove(String id) {
    return store.write(in -> Subscribers.remove(in, thread, topic, id));
  }

  @Override
  public void send(Subscription to, String key, Json notice) {
    var recipient = new Subscribers.Recipient(thread, topic, to);
    store.write(in -> Subscribers.deliver(in, recipient, key, Trees.of(notice)));
  }
}
