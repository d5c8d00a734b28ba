package dev.superstep.cli.start;

import dev.superstep.cli.host.UsageError;
import dev.superstep.language.Suggestion;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// The kinds of programs that can be begun, with the templates of their files.
enum ProgramKind {
  AGENT("a model with tools, to talk to", "question.txt"),
  GRAPH("steps with a state, and a question to a person", "topic.txt"),
  FLOW("typed steps, some at the same time", "mail.txt");

  private static final String DEPENDENCY =
      """
          <dependency>
            <groupId>dev.superstep</groupId>
            <artifactId>superstep-flow</artifactId>
          </dependency>
      """;

  private final String purpose;
  private final String input;

  ProgramKind(String purpose, String input) {
    this.purpose = purpose;
    this.input = input;
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  String purpose() {
    return purpose;
  }

  /// The kind of a name.
  ///
  /// @throws UsageError if there is none
  static ProgramKind of(String word) {
    return find(word).orElseThrow(() -> unknown(word));
  }

  static Optional<ProgramKind> find(String word) {
    return Arrays.stream(values()).filter(kind -> kind.word().equals(word)).findFirst();
  }

  private static UsageError unknown(String word) {
    var names = Arrays.stream(values()).map(ProgramKind::word).toList();
    var near = Suggestion.didYouMean(word, names);
    return new UsageError(
        "new.kind",
        "There is no kind `%s`%s Kinds: %s."
            .formatted(word, near.isEmpty() ? "." : "; " + near, String.join(", ", names)));
  }

  /// Modules that the pom names besides those of all kinds.
  String dependencies() {
    return this == FLOW ? DEPENDENCY : "";
  }

  /// The templates by the paths of their files.
  Map<String, String> files(ProgramName name) {
    var own = word() + "/";
    var code = "java/" + name.packageName() + "/" + name.className();
    var files = new LinkedHashMap<String, String>();
    files.put("superstep.toml", own + "superstep.toml");
    files.put("pom.xml", "pom.xml");
    files.put(".gitignore", "gitignore");
    files.put("README.md", own + "README.md");
    files.put("replies.json", own + "replies.json");
    files.put(input, own + input);
    files.put("src/main/" + code + ".java", own + "Program.java.txt");
    files.put("src/test/" + code + "Test.java", own + "ProgramTest.java.txt");
    return files;
  }

  static List<ProgramKind> all() {
    return List.of(values());
  }
}
