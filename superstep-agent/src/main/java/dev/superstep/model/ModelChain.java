package dev.superstep.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Chooses the model of each turn from several that have names. In this order: the one that must be
/// taken, the one of the turn before (if that is asked for), the first good hint, the agent's own,
/// that of the registry, and the first in the list that can do what is needed.
///
/// On each of these ways a model is passed over that is unknown or retired, or that is not known to
/// do what is needed; [ResolvedModel#passedOver] says why. If none is left, nothing is sent.
/// Immutable; the `with` methods return changed copies.
public final class ModelChain implements ModelResolver {
  private final Map<String, Candidate> candidates;
  private @Nullable String own;
  private @Nullable String registry;
  private boolean reuses;
  private boolean allowsRetired;
  private boolean fallsBack = true;
  private Rule rule = (_, _) -> Optional.empty();

  private ModelChain(Map<String, Candidate> candidates) {
    this.candidates = candidates;
  }

  private ModelChain(ModelChain from) {
    this(from.candidates);
    this.own = from.own;
    this.registry = from.registry;
    this.reuses = from.reuses;
    this.allowsRetired = from.allowsRetired;
    this.fallsBack = from.fallsBack;
    this.rule = from.rule;
  }

  /// Where a model is in its life.
  public enum Status {
    /// To be used.
    STABLE,
    /// May change.
    PREVIEW,
    /// Will go; using it is noted in [ResolvedModel#passedOver].
    DEPRECATED,
    /// Gone, or as good as; never chosen.
    RETIRED
  }

  /// A model that may be chosen.
  ///
  /// @param profile what is known of it
  public record Candidate(String name, ChatModel model, ModelProfile profile, Status status) {
    public Candidate {
      if (name.isBlank()) throw new IllegalArgumentException("name must not be blank");
    }

    /// A stable model that is known by its own profile.
    public static Candidate of(String name, ChatModel model) {
      return new Candidate(name, model, model.profile(), Status.STABLE);
    }

    /// Returns a copy in another part of its life.
    public Candidate withStatus(Status other) {
      return new Candidate(name, model, profile, other);
    }

    /// Returns a copy with another profile.
    public Candidate withProfile(ModelProfile other) {
      return new Candidate(name, model, other, status);
    }
  }

  /// A chain of these, the best fallback first.
  ///
  /// @throws IllegalArgumentException if there is none, or two have one name
  public static ModelChain of(Candidate... candidates) {
    if (candidates.length == 0) {
      throw new IllegalArgumentException("candidates must hold at least one model");
    }
    var byName = new LinkedHashMap<String, Candidate>();
    for (var one : candidates) {
      if (byName.put(one.name(), one) != null) {
        throw new IllegalArgumentException("two models are named `" + one.name() + "`");
      }
    }
    return new ModelChain(byName);
  }

  /// The agent's own model.
  public ModelChain withAgentModel(String name) {
    var copy = new ModelChain(this);
    copy.own = known(name);
    return copy;
  }

  /// The one for agents that have none.
  public ModelChain withRegistryModel(String name) {
    var copy = new ModelChain(this);
    copy.registry = known(name);
    return copy;
  }

  /// Goes on with the model of the turn before, even if a hint names another.
  public ModelChain withReuse() {
    var copy = new ModelChain(this);
    copy.reuses = true;
    return copy;
  }

  /// Takes models that are retired, too.
  public ModelChain withRetired() {
    var copy = new ModelChain(this);
    copy.allowsRetired = true;
    return copy;
  }

  /// Takes no model that nobody named.
  public ModelChain withoutFallback() {
    var copy = new ModelChain(this);
    copy.fallsBack = false;
    return copy;
  }

  /// Passes over models for reasons of the program's own, such as their price.
  public ModelChain withRule(Rule more) {
    var copy = new ModelChain(this);
    copy.rule = more;
    return copy;
  }

  /// Says which models may be taken. Safe for many threads.
  @FunctionalInterface
  public interface Rule {
    /// Why this one may not be taken for this wish, if it may not.
    Optional<String> objection(Candidate candidate, Wish wish);
  }

  private String known(String name) {
    if (candidates.containsKey(name)) return name;
    throw new IllegalArgumentException(
        "there is no model `%s`; there are: %s"
            .formatted(name, String.join(", ", candidates.keySet())));
  }

  /// A name and who said it.
  private record Named(String name, ResolvedModel.Source source) {}

  @Override
  public Resolved resolve(Wish wish) {
    var passedOver = new ArrayList<String>();
    var tried = new ArrayList<String>();
    for (var named : named(wish)) {
      if (tried.contains(named.name())) continue;
      tried.add(named.name());
      var candidate = candidates.get(named.name());
      var why = why(candidate, wish);
      if (candidate != null && why.isEmpty()) return resolved(candidate, named, passedOver);
      passedOver.add(named.name() + ": " + why.orElse("there is no such model"));
    }
    throw new ModelException(
        ModelException.Kind.UNAVAILABLE,
        """
        No model fits, so none was asked. Needed: %s. Passed over: %s. Add a model that fits, or \
        ask for less.\
        """
            .formatted(wish.needs(), String.join("; ", passedOver)));
  }

  private List<Named> named(Wish wish) {
    var all = new ArrayList<Named>();
    wish.override().ifPresent(name -> all.add(new Named(name, ResolvedModel.Source.OVERRIDE)));
    if (reuses) {
      wish.before().ifPresent(one -> all.add(new Named(one.name(), ResolvedModel.Source.REUSE)));
    }
    for (var hint : wish.hints()) all.add(new Named(hint, ResolvedModel.Source.HINT));
    if (own != null) all.add(new Named(own, ResolvedModel.Source.AGENT));
    if (registry != null) all.add(new Named(registry, ResolvedModel.Source.REGISTRY));
    if (fallsBack) {
      for (var name : candidates.keySet()) {
        all.add(new Named(name, ResolvedModel.Source.FALLBACK));
      }
    }
    return all;
  }

  /// Why a model cannot be taken, if it cannot.
  private Optional<String> why(@Nullable Candidate candidate, Wish wish) {
    if (candidate == null) return Optional.of("there is no such model");
    if (candidate.status() == Status.RETIRED && !allowsRetired) return Optional.of("it is retired");
    if (candidate.profile().has(wish.needs())) return rule.objection(candidate, wish);
    var missing = new ArrayList<>(wish.needs());
    missing.removeAll(candidate.profile().has());
    missing.sort(null);
    boolean isLacking = missing.stream().anyMatch(candidate.profile()::lacks);
    return Optional.of((isLacking ? "it lacks " : "it is not known to have ") + missing);
  }

  private static Resolved resolved(Candidate one, Named named, List<String> passedOver) {
    if (one.status() == Status.DEPRECATED) passedOver.add(one.name() + ": taken, but deprecated");
    var how = new ResolvedModel(one.name(), one.model().ref(), named.source(), passedOver);
    return new Resolved(one.model(), how);
  }

  @Override
  public String toString() {
    return "ModelChain" + candidates.keySet();
  }
}
