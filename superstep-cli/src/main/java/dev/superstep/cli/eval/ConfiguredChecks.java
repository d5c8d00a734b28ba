package dev.superstep.cli.eval;

import dev.superstep.cli.host.FolderPath;
import dev.superstep.cli.host.TextFile;
import dev.superstep.cli.host.UsageError;
import dev.superstep.eval.Evaluation;
import dev.superstep.eval.check.Check;
import dev.superstep.eval.check.Checks;
import dev.superstep.eval.check.Judge;
import dev.superstep.eval.check.ToolMatch;
import dev.superstep.eval.dataset.ExpectedCall;
import dev.superstep.eval.dataset.Labelled;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.model.ChatModel;
import dev.superstep.schema.JsonSchema;
import dev.superstep.schema.MalformedSchema;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// Makes the checks that `eval.toml` names.
final class ConfiguredChecks {
  private static final int SCHEMA_BYTES_MAX = 1024 * 1024;
  private static final int RUBRIC_BYTES_MAX = 256 * 1024;
  private static final double KAPPA = 0.6;

  private final EvalConfig config;
  private final ClassLoader loader;
  private final Function<Optional<String>, ChatModel> models;

  /// @param loader finds checks in Java
  /// @param models opens a model by its URL, or the one of the evaluation
  ConfiguredChecks(
      EvalConfig config, ClassLoader loader, Function<Optional<String>, ChatModel> models) {
    this.config = config;
    this.loader = loader;
    this.models = models;
  }

  /// The kinds of checks.
  private enum Kind {
    EQUALS,
    CONTAINS,
    MATCHES,
    SCHEMA,
    TOOLS,
    JUDGE,
    CODE;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /// The keys that it has beside `kind`.
    List<String> keys() {
      return switch (this) {
        case EQUALS -> List.of();
        case CONTAINS -> List.of("text");
        case MATCHES -> List.of("pattern");
        case SCHEMA -> List.of("file");
        case TOOLS -> List.of("match", "calls");
        case JUDGE ->
            List.of("rubric", "rubric_file", "model", "points", "passes", "labelled", "kappa");
        case CODE -> List.of("class");
      };
    }
  }

  /// The files of labelled examples, which are no datasets.
  static Set<Path> labelled(EvalConfig config) {
    var files = new HashSet<Path>();
    for (var check : config.checks()) {
      config
          .text(EvalConfig.key(check, "labelled"))
          .map(config.folder()::resolve)
          .ifPresent(files::add);
    }
    return files;
  }

  /// Adds all checks.
  ///
  /// @throws UsageError that says what is wrong with one
  Evaluation addTo(Evaluation evaluation) {
    var with = evaluation;
    for (var name : config.checks()) with = add(with, name);
    return with;
  }

  private Evaluation add(Evaluation evaluation, String name) {
    var kind = kind(name);
    var known = new HashSet<>(kind.keys());
    known.add("kind");
    config.checkKeys(name, known);
    if (kind == Kind.JUDGE) return judge(evaluation, name);
    return evaluation.checks(Checks.named(name, check(name, kind)));
  }

  private Kind kind(String name) {
    var key = EvalConfig.key(name, "kind");
    var word = config.text(key).orElse(name);
    for (var kind : Kind.values()) if (kind.word().equals(word)) return kind;
    throw config.wrong(
        List.of("checks", name),
        "needs a `kind`, one of " + Arrays.stream(Kind.values()).map(Kind::word).toList());
  }

  private Check check(String name, Kind kind) {
    return switch (kind) {
      case EQUALS -> Checks.equalsExpected();
      case CONTAINS ->
          config
              .text(EvalConfig.key(name, "text"))
              .map(Checks::contains)
              .orElseGet(Checks::containsExpected);
      case MATCHES -> {
        try {
          yield Checks.matches(needed(name, "pattern"));
        } catch (IllegalArgumentException e) {
          throw config.wrong(
              EvalConfig.key(name, "pattern"), String.valueOf(e.getMessage()).strip());
        }
      }
      case SCHEMA -> Checks.schema(schema(name));
      case TOOLS -> tools(name);
      case CODE -> code(name);
      case JUDGE -> throw new IllegalStateException("a judge has examples, too");
    };
  }

  private String needed(String check, String key) {
    return config
        .text(EvalConfig.key(check, key))
        .orElseThrow(() -> config.wrong(List.of("checks", check), "needs a `" + key + "`"));
  }

  private Path file(String check, String key) {
    var path = needed(check, key);
    var root = config.folder().toAbsolutePath().normalize();
    var file =
        FolderPath.inside(root, path)
            .orElseThrow(
                () -> config.wrong(EvalConfig.key(check, key), "must stay inside of " + root));
    if (Files.isRegularFile(file)) return file;
    throw config.wrong(EvalConfig.key(check, key), "names no file: " + file);
  }

  private JsonSchema schema(String name) {
    var file = file(name, "file");
    try {
      return JsonSchema.parse(Json.parse(TextFile.read(file, SCHEMA_BYTES_MAX, "config")));
    } catch (MalformedJson | MalformedSchema e) {
      throw config.wrong(EvalConfig.key(name, "file"), "is no JSON schema: " + e.getMessage());
    }
  }

  private Check tools(String name) {
    var key = EvalConfig.key(name, "match");
    var word = config.text(key).orElse("in_order");
    var match =
        Arrays.stream(ToolMatch.values())
            .filter(one -> one.name().equalsIgnoreCase(word))
            .findFirst()
            .orElseThrow(() ->
                config.wrong(
                    key, "must be one of exact, in_order, any_order, at_least, subset, none_of"));
    var calls = config.texts(EvalConfig.key(name, "calls"));
    if (calls.isEmpty()) return Checks.tools(match);
    return Checks.tools(match, calls.stream().map(ExpectedCall::of).toArray(ExpectedCall[]::new));
  }

  private Check code(String name) {
    var type = needed(name, "class");
    var key = EvalConfig.key(name, "class");
    try {
      var found = Class.forName(type, true, loader).getConstructor().newInstance();
      if (found instanceof Check check) return check;
      throw config.wrong(key, "is not a " + Check.class.getName());
    } catch (ReflectiveOperationException | LinkageError e) {
      throw config.wrong(
          key, "must be a public class of the program with a constructor without arguments: " + e);
    }
  }

  private Evaluation judge(Evaluation evaluation, String name) {
    var model = models.apply(config.text(EvalConfig.key(name, "model")));
    var rubric =
        config
            .text(EvalConfig.key(name, "rubric"))
            .orElseGet(() -> TextFile.read(file(name, "rubric_file"), RUBRIC_BYTES_MAX, "config"));
    var points = whole(name, "points");
    var judge =
        points.isEmpty()
            ? Judge.passOrFail(name, model, rubric)
            : points(name, model, rubric, points.get());
    if (config.text(EvalConfig.key(name, "labelled")).isEmpty()) return evaluation.checks(judge);
    var examples = Labelled.read(file(name, "labelled"));
    var kappa = config.number(EvalConfig.key(name, "kappa")).orElse(KAPPA);
    return evaluation.judgedBy(judge, examples, kappa);
  }

  private Judge points(String name, ChatModel model, String rubric, int most) {
    try {
      return Judge.points(name, model, rubric, most, whole(name, "passes").orElse(most));
    } catch (IllegalArgumentException e) {
      throw config.wrong(EvalConfig.key(name, "passes"), "does not fit: " + e.getMessage());
    }
  }

  private Optional<Integer> whole(String check, String key) {
    return config.number(EvalConfig.key(check, key)).map(Double::intValue);
  }
}
