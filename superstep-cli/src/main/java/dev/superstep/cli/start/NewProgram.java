package dev.superstep.cli.start;

import dev.superstep.cli.host.BuildVersion;
import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.SafeText;
import dev.superstep.cli.host.ShellText;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.model.ModelChoice;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// The work of `superstep new`: a folder with a program that runs at once. Overwrites nothing.
public final class NewProgram {
  private final Host host;
  private final ProgramName name;
  private final Path folder;
  private final String typed;

  private NewProgram(Host host, ProgramName name, Path folder, String typed) {
    this.host = host;
    this.name = name;
    this.folder = folder;
    this.typed = typed;
  }

  /// Makes the folder.
  ///
  /// @param typed the folder as the user wrote it; its last part is the name of the program
  /// @param kind empty if the user is to be asked, or else takes an agent
  /// @param model the URL that the program's folder names; empty for none
  /// @return the exit code
  public static int run(Host host, String typed, Optional<String> kind, Optional<String> model) {
    var folder = host.path(typed);
    var last = folder.getFileName();
    var name = ProgramName.of(typed.isBlank() || last == null ? typed : last.toString());
    var named = kind.map(ProgramKind::of);
    model.ifPresent(url -> check(url, host));
    var work = new NewProgram(host, name, folder, typed);
    work.checkFree();
    return work.make(named.orElseGet(work::ask), model);
  }

  private static void check(String url, Host host) {
    var choice = ModelChoice.of(url, ModelChoice.From.OPTION);
    if (!ModelChoice.needsTrust(choice.ref())) return;
    throw new UsageError(
        "model.not-agreed",
        "The model `%s` is on another machine or a file, which a folder cannot choose for whoever runs it. Leave --model out, and name it where you run: %s run FOLDER --model %s, or SUPERSTEP_MODEL"
            .formatted(url, host.command(), ShellText.word(url)));
  }

  private void checkFree() {
    if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) return;
    throw new UsageError(
        "new.exists",
        "There is already something at " + folder + ", which is not touched. Choose another name.");
  }

  private ProgramKind ask() {
    if (!host.terminal().asks()) return ProgramKind.AGENT;
    for (var kind : ProgramKind.all()) {
      say("  %-6s %s".formatted(kind.word(), kind.purpose()));
    }
    while (true) {
      var answer = host.terminal().ask("Which kind? [agent]: ");
      if (answer.isEmpty()) {
        throw new UsageError("new.kind", "No kind was named. Name it by --kind.");
      }
      var word = answer.get().strip();
      if (word.isEmpty()) return ProgramKind.AGENT;
      var found = ProgramKind.find(word);
      if (found.isPresent()) return found.get();
      say("Please type agent, graph or flow.");
    }
  }

  private int make(ProgramKind kind, Optional<String> model) {
    try {
      var values = values(kind, model);
      for (var file : kind.files(name).entrySet()) {
        write(file.getKey(), filled(template(file.getValue()), values));
      }
    } catch (FileAlreadyExistsException e) {
      throw new UsageError(
          "new.exists",
          "Somebody else made " + e.getFile() + " meanwhile. Choose another name.",
          e);
    } catch (IOException e) {
      throw new UsageError(
          "new.cannot-write", "Folder " + folder + " cannot be written: " + e + ".", e);
    }
    tell(kind, model);
    return ExitCodes.COMPLETED;
  }

  private Map<String, String> values(ProgramKind kind, Optional<String> model) throws IOException {
    var values = new LinkedHashMap<String, String>();
    values.put("name", name.text());
    values.put("package", name.packageName());
    values.put("class", name.className());
    values.put("version", BuildVersion.line().replaceFirst("^superstep ", ""));
    values.put("path", ShellText.word(typed));
    values.put("dependencies", kind.dependencies());
    values.put("model", model.map(url -> "model = " + quoted(url) + "\n\n").orElse(""));
    return values;
  }

  private static String quoted(String url) {
    return "\"" + url.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }

  private static String filled(String template, Map<String, String> values) {
    var text = template;
    for (var value : values.entrySet()) {
      text = text.replace("{{" + value.getKey() + "}}", value.getValue());
    }
    return text;
  }

  private void write(String file, String text) throws IOException {
    var path = folder.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text, StandardOpenOption.CREATE_NEW);
  }

  private static String template(String path) {
    try (var text = NewProgram.class.getResourceAsStream("templates/" + path)) {
      if (text == null) throw new IllegalStateException("there is no template " + path);
      return new String(text.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void tell(ProgramKind kind, Optional<String> model) {
    var word = ShellText.word(typed);
    say("Made " + kind.word() + " `" + name.text() + "` in " + folder + ".");
    say("");
    if (kind == ProgramKind.AGENT) next("chat " + word, "talks to it");
    next("run " + word, "runs it on " + (kind == ProgramKind.AGENT ? "a question" : "its input"));
    if (kind != ProgramKind.AGENT) next("graph " + word, "shows its graph");
    step("mvn -f " + word + "/pom.xml test", "runs its test, without network");
    say("");
    say(
        model
            .map(url -> "Its model is " + url + ".")
            .orElse(
                "It uses your model; as long as there is none, replies written by hand answer."));
  }

  private void next(String command, String purpose) {
    step(host.command() + " " + command, purpose);
  }

  private void step(String command, String purpose) {
    say("  %-40s  %s".formatted(command, purpose));
  }

  private void say(String text) {
    host.terminal().out().println(SafeText.of(text));
    host.terminal().out().flush();
  }
}
