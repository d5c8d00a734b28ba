package dev.superstep.prompt;

import java.util.ArrayList;
import java.util.List;

/// Reads the text form of a template. One thread at a time.
final class TemplateReader {
  private static final String MARK = "---";

  private final PromptTemplate.Builder template;
  private final List<String> lines = new ArrayList<>();
  private String role = "";
  private int begun;

  TemplateReader(String name) {
    this.template = PromptTemplate.named(name);
  }

  PromptTemplate read(String text) {
    int number = 0;
    for (var line : text.lines().toList()) {
      number++;
      if (line.startsWith(MARK)) {
        end();
        role = line.substring(MARK.length()).strip();
        begun = number;
      } else if (begun > 0) {
        lines.add(line.startsWith("\\" + MARK) ? line.substring(1) : line);
      } else {
        int since = template.problems();
        declare(line.strip());
        template.locate(since, at(number));
      }
    }
    end();
    return template.build();
  }

  private static String at(int line) {
    return "Line " + line + ": ";
  }

  private void declare(String line) {
    if (line.isEmpty() || line.startsWith("#")) return;
    var parts = line.split("\\s+", 2);
    var rest = parts.length > 1 ? parts[1] : "";
    switch (parts[0]) {
      case "optional" -> {
        int equals = rest.indexOf('=');
        var name = equals < 0 ? rest : rest.substring(0, equals);
        template.optional(name(name), equals < 0 ? "" : rest.substring(equals + 1).strip());
      }
      case "secret" -> template.secret(name(rest));
      default ->
          template.problem(
              "`%s` declares nothing. Write `optional name = text`, `secret name` or `# comment`."
                  .formatted(parts[0]));
    }
  }

  private String name(String text) {
    var name = text.strip();
    if (!TemplateText.isName(name)) template.problem("`%s` is no name.".formatted(name));
    return name;
  }

  /// Adds the section that ends here, without the empty lines around its text.
  private void end() {
    if (begun == 0) return;
    int since = template.problems();
    var text = String.join("\n", lines).strip();
    lines.clear();
    switch (role.split("\\s+", 2)[0]) {
      case "system" -> template.system(text);
      case "user" -> template.user(text);
      case "assistant" -> template.assistant(text);
      case "conversation" -> {
        template.conversation(role.substring("conversation".length()).strip());
        if (!text.isEmpty()) template.problem("A conversation has no text of its own.");
      }
      default ->
          template.problem(
              "`--- %s` is no section. Write system, user, assistant or conversation."
                  .formatted(role));
    }
    template.locate(since, at(begun));
  }
}
