package dev.superstep.language.server;

import dev.superstep.language.check.Names;
import dev.superstep.language.rag.Capability;
import java.util.Map;
import java.util.Set;

/// The process that tests start: a server on its standard streams, with a few registered names.
final class ServerProcess {
  private ServerProcess() {}

  public static void main(String[] arguments) throws InterruptedException {
    var names =
        Names.of(
            Map.of(
                Capability.MODELS, Set.of("small", "large"),
                Capability.TOOLS, Set.of("notify", "refund"),
                Capability.ROUTERS, Set.of("by_size"),
                Capability.MAPPINGS, Set.of("per_question"),
                Capability.AGENTS, Set.of("fact_checker"),
                Capability.TYPES, Set.of("Ticket")));
    System.exit(RagLanguageServer.serve(System.in, System.out, _ -> names));
  }
}
