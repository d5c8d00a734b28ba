package dev.superstep.skills;

import dev.superstep.middleware.AgentContext;
import dev.superstep.middleware.Middleware;
import dev.superstep.model.ChatRequest;
import dev.superstep.node.Question;
import dev.superstep.schema.Description;
import dev.superstep.state.Channel;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolContext;
import dev.superstep.tool.ToolError;
import dev.superstep.tool.ToolPolicy;
import dev.superstep.tool.ToolResult;
import dev.superstep.workspace.Workspace;
import dev.superstep.workspace.WorkspaceLimits;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// The notes of a project for agents: its files `AGENTS.md`, in the form of agents.md. The agent is
/// shown those on the way from the project's root to the folder that it works in; the nearer ones
/// come later and count more. It reads those of other folders by the tool `read_project_notes`.
///
/// ```java
/// Agent.named("coder").model(model).middleware(ProjectNotes.of(Path.of("project")))
/// ```
///
/// Notes tell an agent what to do, and come with a repository, so a person confirms them first, as
/// [Skills] are: by the question [UntrustedFiles#QUESTION], again when they have changed. Notes
/// that are refused are left out. They are read when a run of the agent begins, and stay the same
/// in all its turns. Immutable; the `with` methods return changed copies.
public final class ProjectNotes implements Middleware {
  private static final String FILE = "AGENTS.md";
  private static final int FILE_BYTES_MAX = 32_768;
  private static final int LEVELS_MAX = 32;
  private static final int CHARACTERS_MAX = 65_536;

  private static final Channel<Shown, Shown> SHOWN = Channel.latest("project-notes", Shown.class);

  private final Path project;
  private final String folder;
  private final Trust trust;

  private ProjectNotes(Path project, String folder, Trust trust) {
    this.project = project;
    this.folder = folder;
    this.trust = trust;
  }

  record Note(String path, String text) {}

  /// The notes of a run.
  ///
  /// @param refused the digest of notes that a person has refused; empty if there are none
  record Shown(String text, String refused) {}

  record ReadProjectNotes(@Description("Such as services/api/Main.java") String path) {}

  /// The notes of a project, for work in its root.
  public static ProjectNotes of(Path project) {
    return new ProjectNotes(
        project.toAbsolutePath(), "", new Trust(Confirmations.inMemory(), true));
  }

  /// For work in a folder of the project.
  ///
  /// @param path relative to the project's root
  public ProjectNotes below(String path) {
    return new ProjectNotes(project, path, trust);
  }

  /// Sets where confirmations are kept; in memory unless set.
  public ProjectNotes confirmedBy(Confirmations kept) {
    return new ProjectNotes(project, folder, new Trust(kept, trust.asks()));
  }

  /// Leaves notes out that are not confirmed, and asks nobody.
  public ProjectNotes onlyConfirmed() {
    return new ProjectNotes(project, folder, new Trust(trust.confirmations(), false));
  }

  /// The notes that count in the folder, whether confirmed or not, the nearest last. Reads the
  /// disk.
  ///
  /// @throws ToolError if they cannot be read or the folder leads out of the project
  public String text() {
    return text(notes(folder));
  }

  /// Confirms the notes that count in the folder, as they are now.
  public void confirm() {
    var files = untrusted(notes(folder));
    trust.confirmations().confirm(files.subject(), files.digest());
  }

  private List<Note> notes(String path) {
    if (!Files.isDirectory(project)) return List.of();
    var workspace =
        Workspace.at(project).limits(WorkspaceLimits.standard().files(FILE_BYTES_MAX, 1));
    var target = workspace.resolve(path); // refuses what is outside
    var way = workspace.root().relativize(target);
    if (way.getNameCount() > LEVELS_MAX) {
      throw new ToolError.Other(path, "It is too deep. Use another path.");
    }
    var found = new ArrayList<Note>();
    find("", workspace).ifPresent(found::add);
    var at = new StringBuilder();
    for (var name : way) {
      if (name.toString().isEmpty()) continue;
      at.append(name).append('/');
      if (Files.isDirectory(workspace.root().resolve(at.toString()))) {
        find(at.toString(), workspace).ifPresent(found::add);
      }
    }
    return found;
  }

  private static Optional<Note> find(String folder, Workspace workspace) {
    var path = folder + FILE;
    if (!Files.exists(workspace.root().resolve(path))) return Optional.empty();
    try {
      return Optional.of(new Note(path, PlainText.visible(workspace.read(path)).strip()));
    } catch (ToolError e) {
      return Optional.of(new Note(path, "[left out: " + e.getMessage() + "]"));
    }
  }

  private static String text(List<Note> notes) {
    var text = new StringBuilder();
    for (var note : notes) {
      if (!text.isEmpty()) text.append("\n\n");
      text.append("[").append(PlainText.oneLine(note.path(), 300)).append("]\n");
      text.append(note.text());
    }
    return text.length() <= CHARACTERS_MAX
        ? text.toString()
        : text.substring(0, PlainText.whole(text.toString(), CHARACTERS_MAX)) + "\n[cut off]";
  }

  private UntrustedFiles untrusted(List<Note> notes) {
    var bytes = new TreeMap<String, byte[]>();
    var sizes = new ArrayList<String>();
    for (var note : notes) {
      var content = note.text().getBytes(StandardCharsets.UTF_8);
      bytes.put(note.path(), content);
      sizes.add("%s (%d bytes)".formatted(note.path(), content.length));
    }
    var last = notes.isEmpty() ? FILE : notes.getLast().path();
    return new UntrustedFiles(
        "notes " + project.resolve(last), Skill.digest(bytes), sizes, text(notes));
  }

  @Override
  public Touches touches() {
    return Touches.PREFIX;
  }

  @Override
  public List<Channel<?, ?>> channels() {
    return List.of(SHOWN);
  }

  @Override
  public List<Question<?, ?>> questions() {
    return List.of(UntrustedFiles.QUESTION);
  }

  @Override
  public List<Tool> tools() {
    return List.of(
        Tool.of(
                "read_project_notes",
                "Shows the notes of the project that count for a file or folder of it.",
                ReadProjectNotes.class,
                (asked, context) -> SkillTools.once(context, () -> read(asked.path(), context)))
            .withQuestions(UntrustedFiles.QUESTION)
            .withPolicy(ToolPolicy.readOnly()));
  }

  private ToolResult read(String path, ToolContext context) {
    var notes = notes(path);
    if (notes.isEmpty()) return ToolResult.of("[no notes count there]");
    var refusal = trust.refusal(untrusted(notes), SkillTools.asking(context));
    return refusal.isPresent()
        ? ToolResult.error("The notes: " + refusal.get())
        : ToolResult.of(text(notes));
  }

  @Override
  public void beforeAgent(AgentContext context) throws Exception {
    var before = context.find(SHOWN).map(Shown::refused).orElse("");
    var node = context.node();
    var shown =
        node.step(
            "read-project-notes",
            Shown.class,
            () -> {
              var notes = notes(folder);
              if (notes.isEmpty()) return new Shown("", "");
              var files = untrusted(notes);
              // Who has refused them on this thread is not asked at each message.
              boolean isAsked = !files.digest().equals(before) && node.isPersistent();
              var asking = Optional.of(node).filter(_ -> isAsked);
              return trust.refusal(files, asking).isPresent()
                  ? new Shown("", files.digest())
                  : new Shown(text(notes), "");
            });
    context.write(SHOWN, shown);
  }

  @Override
  public ChatRequest beforeModel(ChatRequest request, AgentContext context) {
    var text = context.find(SHOWN).map(Shown::text).orElse("");
    if (text.isEmpty()) return request;
    return Skills.inPrefix(
        request,
        "project-notes",
        """
        Notes of the project for agents, from its files AGENTS.md. Those that come later are \
        nearer to the work and count more; what the user says counts more than all of them.

        """
            + text);
  }

  @Override
  public String toString() {
    return "ProjectNotes[" + project + (folder.isEmpty() ? "]" : ", " + folder + "]");
  }
}
