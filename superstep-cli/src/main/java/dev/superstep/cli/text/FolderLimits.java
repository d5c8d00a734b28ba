package dev.superstep.cli.text;

import dev.superstep.cli.host.ProgramFolder;
import dev.superstep.cli.host.RagFolder;
import dev.superstep.json.Json;
import dev.superstep.language.bounds.Bounds;
import dev.superstep.language.bounds.ComponentFacts;
import dev.superstep.language.bounds.Limits;
import dev.superstep.language.bounds.Measure;
import java.math.BigDecimal;
import java.util.EnumMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// The `[limits]` of a folder, beside what a run can take. Immutable.
///
/// @param file where they stand, as it is shown
public record FolderLimits(String file, Limits limits) {
  /// The limits of a folder; none if it has none.
  static FolderLimits of(RagFolder folder) {
    var most = new EnumMap<Measure, BigDecimal>(Measure.class);
    folder
        .limits()
        .forEach((key, amount) -> Measure.of(key).ifPresent(each -> most.put(each, amount)));
    return new FolderLimits(folder.root().resolve(ProgramFolder.FILE).toString(), new Limits(most));
  }

  /// The verdict on a run of one graph.
  ///
  /// @param refused the limits that it can pass, whatever its models and agents are
  /// @param unknown those that it may pass, as far as is known without opening models and code
  record Verdict(String graph, List<String> refused, List<String> unknown) {
    Json json() {
      return Json.of(this);
    }
  }

  /// Compares the limits with what a run can take.
  ///
  /// @param least the bounds if what is not known takes nothing
  Verdict verdict(Bounds most, Bounds least) {
    var refused = least.passing(limits);
    var sure = new EnumMap<Measure, BigDecimal>(Measure.class);
    limits
        .most()
        .forEach((measure, amount) -> {
          var one = new Limits(new EnumMap<>(java.util.Map.of(measure, amount)));
          if (least.passing(one).isEmpty()) sure.put(measure, amount);
        });
    return new Verdict(most.graph(), refused, most.passing(new Limits(sure)));
  }

  /// A verdict for people.
  String text(Verdict verdict) {
    var run = "a run of " + verdict.graph();
    var where = "[limits] of " + file;
    var out = new StringBuilder();
    if (!verdict.refused().isEmpty()) {
      out.append(run).append(" is refused by ").append(where).append(": ");
      out.append(String.join("; ", verdict.refused())).append('\n');
    }
    if (!verdict.unknown().isEmpty()) {
      out.append(run).append(" is refused by ").append(where);
      out.append(" unless models and code that are not opened here bound it: ");
      out.append(String.join("; ", verdict.unknown())).append('\n');
    }
    if (out.isEmpty()) out.append(run).append(" is within ").append(where).append('\n');
    return out.toString();
  }

  /// The facts that are known, and nothing for what is not.
  record LeastFacts(ComponentFacts known) implements ComponentFacts {
    private static final Limits NOTHING =
        new Limits(
            new EnumMap<>(
                java.util.Map.of(
                    Measure.MODEL_CALLS, BigDecimal.ZERO,
                    Measure.TOOL_CALLS, BigDecimal.ZERO,
                    Measure.TOKENS, BigDecimal.ZERO,
                    Measure.COST, BigDecimal.ZERO,
                    Measure.DEPTH, BigDecimal.ONE)));

    @Override
    public Optional<Limits> agent(String name) {
      return known.agent(name).or(() -> Optional.of(NOTHING));
    }

    @Override
    public OptionalLong tokens(String model) {
      var tokens = known.tokens(model);
      return tokens.isPresent() ? tokens : OptionalLong.of(0);
    }

    @Override
    public Optional<BigDecimal> cost(String model) {
      return known.cost(model).or(() -> Optional.of(BigDecimal.ZERO));
    }
  }
}
