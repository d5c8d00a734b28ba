package dev.superstep.node;

import dev.superstep.state.State;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The conditions under which an earlier result of a node replaces running it: it is from the same
/// graph, by name, from the same node and version of its code, and for equal input. Immutable; each
/// method returns a changed copy.
///
/// ```java
/// CachePolicy.by(state -> state.get(QUESTION)).version("2").ttl(Duration.ofHours(1))
/// ```
///
/// Only a node's own results are cached: no failure and no result that a policy made of one,
/// nothing that depends on an answer, and nothing written to an untracked channel. When a cached
/// result is used, the node's outside effects are not repeated.
public final class CachePolicy {
  private final @Nullable Function<State, ?> key;
  private final @Nullable Duration ttl;
  private final String version;

  private CachePolicy(@Nullable Function<State, ?> key, @Nullable Duration ttl, String version) {
    this.key = key;
    this.ttl = ttl;
    this.version = version;
  }

  /// Reuses results for equal keys. If the node is sent an argument, that must be equal, too.
  ///
  /// @param key all that the result depends on, as a value of a closed type: a record, an enum, a
  ///   scalar; never null
  public static CachePolicy by(Function<State, ?> key) {
    return new CachePolicy(key, null, "");
  }

  /// Reuses results for equal arguments; only for a node that is sent one and reads nothing else.
  public static CachePolicy byArgument() {
    return new CachePolicy(null, null, "");
  }

  /// Limits how long a result may be used, by the clock of the run that cached it; unlimited unless
  /// set.
  public CachePolicy ttl(Duration most) {
    if (!most.isPositive()) {
      throw new IllegalArgumentException("ttl must be positive, was " + most);
    }
    return new CachePolicy(key, most, version);
  }

  /// Sets the version of the node's code. Results of other versions are not used: change it
  /// whenever the code would return something else for the same input.
  public CachePolicy version(String version) {
    return new CachePolicy(key, ttl, version);
  }

  public @Nullable Function<State, ?> key() {
    return key;
  }

  public Optional<Duration> ttl() {
    return Optional.ofNullable(ttl);
  }

  public String version() {
    return version;
  }

  @Override
  public String toString() {
    return "CachePolicy[ttl "
        + (ttl == null ? "none" : ttl)
        + (version.isEmpty() ? "]" : ", version " + version + "]");
  }
}
