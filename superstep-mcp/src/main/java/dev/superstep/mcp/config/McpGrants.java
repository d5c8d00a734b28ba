package dev.superstep.mcp.config;

import dev.superstep.sandbox.Tier;
import dev.superstep.tool.ToolPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The things that a server may do here, by a file. Immutable.
///
/// @param only the tools that are taken, by the names that the server gives them; empty for all
/// @param policies of tools, by the same names
/// @param trustsHints whether what the server says of its tools' effects is believed
/// @param timeout of a call; empty for the usual one
/// @param confinement of a server that is a program; empty for none
/// @param protocol how it is spoken with
/// @param oauth how tokens are got; empty if they are not
public record McpGrants(
    Optional<List<String>> only,
    Map<String, ToolPolicy> policies,
    boolean trustsHints,
    Optional<Duration> timeout,
    Optional<Confinement> confinement,
    Protocol protocol,
    Optional<OAuth> oauth) {
  /// Nothing is said: all tools, unclassified.
  public static final McpGrants NONE =
      new McpGrants(
          Optional.empty(),
          Map.of(),
          false,
          Optional.empty(),
          Optional.empty(),
          Protocol.USUAL,
          Optional.empty());

  public McpGrants {
    only = only.map(List::copyOf);
    policies = Map.copyOf(policies);
  }

  /// A tier of the sandbox.
  ///
  /// @param reads paths that it may read beside the usual ones; relative ones are of the folder
  /// @param writes directories that it may write
  public record Confinement(Tier tier, List<String> reads, List<String> writes) {
    public Confinement {
      reads = List.copyOf(reads);
      writes = List.copyOf(writes);
    }
  }

  /// The protocol that is spoken with a server.
  ///
  /// @param revision that is tried first; empty for the usual one
  /// @param tasks the time that tasks are kept; empty if tools are not called as tasks
  public record Protocol(Optional<String> revision, Optional<Duration> tasks) {
    /// Nothing is said.
    public static final Protocol USUAL = new Protocol(Optional.empty(), Optional.empty());

    /// The revision without sessions.
    static final String STATELESS = "2026-07-28";

    boolean isStateless() {
      return revision.filter(STATELESS::equals).isPresent();
    }
  }

  /// An authorization by OAuth 2.1.
  ///
  /// @param client the name under which this program was registered; empty if it registers itself
  public record OAuth(Optional<String> client) {}

  /// A policy as the words that a file writes for it, with commas between them.
  public static String words(ToolPolicy policy) {
    return PolicyWords.of(policy);
  }

  /// The policies as words, by tools in the order of their names.
  Map<String, String> policyWords() {
    var all = new TreeMap<String, String>();
    policies.forEach((tool, policy) -> all.put(tool, PolicyWords.of(policy)));
    return all;
  }
}
