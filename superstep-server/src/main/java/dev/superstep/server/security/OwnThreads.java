package dev.superstep.server.security;

import dev.superstep.json.Json;
import dev.superstep.server.security.Access.Resource;
import dev.superstep.store.Namespace;
import java.util.Map;
import java.util.Optional;

/// Gives each principal threads, runs, schedules and items of its own. Immutable.
final class OwnThreads implements Authorizer {
  private static final String OWNER = "owner";
  private static final String USERS = "users";

  @Override
  public Decision decide(Principal who, Access what) {
    if (what.resource() == Resource.ASSISTANTS) {
      // They are for all, so what one changes would change for the others.
      return what.action().isReading()
          ? Decision.ALLOWED
          : new Decision.Denied("Assistants and texts are made by the operators.");
    }
    return new Decision.Allowed(
        Optional.of(Json.of(Map.of(OWNER, who.id()))), Optional.of(Namespace.of(USERS, who.id())));
  }

  @Override
  public String toString() {
    return "OwnThreads";
  }
}
