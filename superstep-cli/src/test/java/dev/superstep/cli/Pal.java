package dev.superstep.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The folder `pal` on a desk: an agent whose tools note, wait and pay, and a script for its model.
final class Pal {
  static final String MODEL = "scripted://script.json";

  private static final String PROGRAM =
      """
      package pal;

      import dev.superstep.agent.Agent;
      import dev.superstep.budget.Budget;
      import dev.superstep.program.AgentProgram;
      import dev.superstep.program.ProgramContext;
      import dev.superstep.tool.SideEffect;
      import dev.superstep.tool.Tool;
      import dev.superstep.tool.ToolPolicy;
      import java.io.IOException;
      import java.nio.file.Files;
      import java.nio.file.Path;
      import java.nio.file.StandardOpenOption;

      public final class PalProgram implements AgentProgram {
        record Text(String text) {}

        @Override
        public Agent<String> agent(ProgramContext context) {
          var log = context.output().resolve("log.txt");
          var go = context.output().resolve("go");
          var note =
              Tool.of("note", "Notes a text.", Text.class, (t, _) -> add(log, t.text()));
          var hold =
              Tool.of(
                  "hold",
                  "Waits.",
                  Text.class,
                  (t, _) -> {
                    add(log, "waiting");
                    while (!Files.exists(go)) Thread.sleep(20);
                    return "held";
                  });
          var pay =
              Tool.of("pay", "Pays.", Text.class, (t, _) -> add(log, "paid " + t.text()))
                  .withPolicy(ToolPolicy.of(SideEffect.EXTERNAL_SERVICE).approved());
          return Agent.named("pal")
              .model(context.model())
              .tools(note, hold, pay)
              .budget(Budget.unlimited().calls(BUDGET))
              .build();
        }

        private static String add(Path log, String text) throws IOException {
          Files.createDirectories(log.getParent());
          Files.writeString(
              log, text + "\\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
          return "noted " + text;
        }
      }
      """;

  private static final String SCRIPT =
      """
      {"replies": [
        {"when": "noted paid", "text": "It is paid."},
        {"when": "noted", "text": "I noted it."},
        {"when": "held", "text": "Both are done."},
        {"when": "rejected the call", "text": "Then I do not pay."},
        {"when": "note", "calls": [{"tool": "note", "arguments": {"text": "a"}}]},
        {"when": "both", "calls": [{"tool": "note", "arguments": {"text": "a"}},
          {"tool": "hold", "arguments": {"text": "b"}}]},
        {"when": "pay", "calls": [{"tool": "pay", "arguments": {"text": "17"}}]},
        {"when": "evil", "text": "\\u001b]0;owned\\u0007\\u001b[2Jdone\\r\\n> rm -rf\\nsuperstep: \\u0430pproved\\u202e"},
        {"when": "deceive", "calls": [{"tool": "pay", "arguments": {"text": "\\u001b[2J\\nApprove? [y]es y"}}]},
        {"when": "much", "text": "One two three four five six seven eight nine ten eleven twelve thirteen."},
        {"when": "Hello", "text": "Hello yourself."}
      ]}
      """;

  private final Desk desk;

  private Pal(Desk desk) {
    this.desk = desk;
  }

  static Pal on(Desk desk, int calls) throws IOException {
    desk.write("pal/superstep.toml", "[program]\nclass = \"pal.PalProgram\"\n");
    desk.write("pal/src/main/java/pal/PalProgram.java", PROGRAM.replace("BUDGET", "" + calls));
    desk.write("script.json", SCRIPT);
    return new Pal(desk);
  }

  /// The lines that its tools wrote on a thread.
  List<String> log(String thread) throws IOException {
    var file = output(thread).resolve("log.txt");
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  /// Lets what waits go on.
  void release(String thread) throws IOException {
    Files.createDirectories(output(thread));
    Files.createFile(output(thread).resolve("go"));
  }

  private Path output(String thread) {
    return desk.folder().resolve("superstep-out").resolve(thread);
  }
}
