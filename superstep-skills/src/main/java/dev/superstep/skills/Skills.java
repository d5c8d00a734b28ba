package dev.superstep.skills;

import dev.superstep.message.Message;
import dev.superstep.message.SystemMessage;
import dev.superstep.middleware.AgentContext;
import dev.superstep.middleware.Middleware;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.TokenCounter;
import dev.superstep.node.Question;
import dev.superstep.skills.SkillFolders.Place;
import dev.superstep.state.Channel;
import dev.superstep.tool.Tool;
import dev.superstep.workspace.Workspace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Skills of an agent: folders with a `SKILL.md`, in the form of agentskills.io. The model is shown
/// their names and descriptions, and loads the one that it needs by the tool `load_skill`.
///
/// ```java
/// var skills =
///     Skills.in(Path.of("skills"))
///         .confirmedBy(Confirmations.in(home.resolve("confirmed.json")))
///         .scriptsIn(workspace);
/// Agent.named("clerk").model(model).middleware(skills)
/// ```
///
/// **Trust.** A skill tells an agent what to do, so whoever writes one could take the agent over.
/// Before it is loaded, a person confirms the digest of its whole folder, by the question
/// [UntrustedFiles#QUESTION]; the folder is read and compared at each use, and a change asks again.
/// Exactly what was compared is used: files are read once, into memory. Names and descriptions are
/// shown to the model before that, as quotations.
///
/// **Durability.** The list is read when a run of the agent begins, and is the same in all its
/// turns, in whatever process. What was loaded is part of the conversation.
///
/// Immutable, safe for many threads; the methods that configure return changed copies.
public final class Skills implements Middleware {
  private static final int TOKENS = 4_000;

  private static final Channel<Listed, Listed> LISTED = Channel.latest("skills", Listed.class);

  private final SkillFolders folders;
  private Trust trust = new Trust(Confirmations.inMemory(), true);
  private SkillListing listing = new SkillListing(TOKENS, TokenCounter.approximate());
  private @Nullable SkillScripts scripts;

  private Skills(List<Place> folders) {
    this.folders = new SkillFolders(folders);
  }

  private Skills(Skills from, SkillFolders folders) {
    this.folders = folders;
    this.trust = from.trust;
    this.listing = from.listing;
    this.scripts = from.scripts;
  }

  /// The list as a run shows it.
  record Listed(String text) {}

  /// Looks for skills in these folders; each skill is a folder in one of them. Of two with one name
  /// the first counts. A folder that does not exist counts as empty.
  public static Skills in(Path... folders) {
    return new Skills(places(folders).toList());
  }

  private static Stream<Place> places(Path... folders) {
    return Stream.of(folders).map(folder -> new Place(folder, null));
  }

  /// Looks for skills in `.agents/skills` and `.claude/skills` of a project. A folder of them that
  /// leads out of the project by links counts as empty.
  public static Skills ofProject(Path project) {
    return new Skills(
        Stream.of(".agents/skills", ".claude/skills")
            .map(folder -> new Place(project.resolve(folder), project))
            .toList());
  }

  private Skills copy() {
    return new Skills(this, folders);
  }

  /// Looks in these folders, too, after the others.
  public Skills and(Path... more) {
    var all = Stream.concat(folders.folders().stream(), places(more)).toList();
    return new Skills(this, new SkillFolders(all));
  }

  /// Sets where confirmations are kept; in memory unless set.
  public Skills confirmedBy(Confirmations kept) {
    var copy = copy();
    copy.trust = new Trust(kept, trust.asks());
    return copy;
  }

  /// Offers confirmed skills alone, and asks nobody: for agents that work while nobody watches.
  /// Listing then reads each skill as a whole.
  public Skills onlyConfirmed() {
    var copy = copy();
    copy.trust = new Trust(trust.confirmations(), false);
    return copy;
  }

  /// Sets the most tokens that the list of skills takes of each prompt; 4000 unless set. Where it
  /// would take more, descriptions are shortened, then left out, then names; the model finds the
  /// others by `find_skills`.
  public Skills listingAtMost(int tokens) {
    if (tokens < 200) throw new IllegalArgumentException("tokens must be at least 200");
    var copy = copy();
    copy.listing = new SkillListing(tokens, listing.counter());
    return copy;
  }

  /// Lets the model run scripts of skills, by the tool `run_skill_script`. They work on the files
  /// of this workspace and run in its tier, each after a person has approved the call. Files that
  /// end with `.py`, `.sh`, `.bash` and `.js` are run by `python3`, `sh`, `bash` and `node`.
  public Skills scriptsIn(Workspace workspace) {
    var copy = copy();
    copy.scripts = new SkillScripts(workspace, SkillScripts.STANDARD, true);
    return copy;
  }

  /// Runs scripts whose names have this ending by a program, which the workspace finds in the
  /// search path.
  ///
  /// @param ending without the dot
  /// @throws IllegalStateException if no scripts run
  public Skills running(String ending, String program) {
    var copy = copy();
    copy.scripts = required().with(ending, program);
    return copy;
  }

  /// Runs scripts without asking for each call, besides what the gate of the agent says.
  ///
  /// @throws IllegalArgumentException if the workspace has no sandbox
  /// @throws IllegalStateException if no scripts run
  public Skills withoutApproval() {
    var copy = copy();
    copy.scripts = required().unapproved();
    return copy;
  }

  private SkillScripts required() {
    if (scripts != null) return scripts;
    throw new IllegalStateException("No scripts run. Call scriptsIn(...) first.");
  }

  /// The skills that are there now, by name, whether confirmed or not. Reads the disk.
  public List<SkillDescription> list() {
    return folders.all().skills();
  }

  /// Folders that are no skills, and why. Reads the disk.
  public List<InvalidSkill> problems() {
    return folders.all().problems();
  }

  /// Reads a skill as it is now, whether confirmed or not: for a person who looks at it.
  ///
  /// @throws InvalidSkill if it cannot be used
  public Optional<Skill> find(String name) {
    return folders.find(name);
  }

  /// Confirms a skill as it was read.
  public void confirm(Skill skill) {
    trust.confirmations().confirm(subject(skill), skill.digest());
  }

  /// Returns whether a person has confirmed a skill as it was read.
  public boolean isConfirmed(Skill skill) {
    return trust.confirmations().isConfirmed(subject(skill), skill.digest());
  }

  private static String subject(Skill skill) {
    return "skill " + skill.folder();
  }

  static UntrustedFiles untrusted(Skill skill) {
    return new UntrustedFiles(
        subject(skill),
        skill.digest(),
        skill.files().stream().map(path -> withSize(skill, path)).toList(),
        skill.text(Skill.FILE).orElse(""));
  }

  static String withSize(Skill skill, String path) {
    int bytes = skill.size(path);
    return "%s (%d byte%s)".formatted(path, bytes, bytes == 1 ? "" : "s");
  }

  /// The skills that a model is told of.
  static List<SkillDescription> offered(SkillFolders folders, Trust trust) {
    var all = folders.all().skills();
    if (trust.asks()) return all;
    return all.stream().filter(skill -> isOffered(skill.name(), folders, trust)).toList();
  }

  private static boolean isOffered(String name, SkillFolders folders, Trust trust) {
    try {
      return folders
          .find(name)
          .filter(skill -> trust.confirmations().isConfirmed(subject(skill), skill.digest()))
          .isPresent();
    } catch (InvalidSkill _) {
      return false;
    }
  }

  /// The list as a prompt shows it, empty if there are no skills: for agents that get the
  /// [#tools()] alone. Reads the disk.
  public String instructions() {
    return listing.of(offered(folders, trust));
  }

  @Override
  public Touches touches() {
    return Touches.PREFIX;
  }

  @Override
  public List<Tool> tools() {
    return new SkillTools(folders, trust, scripts).all();
  }

  @Override
  public List<Channel<?, ?>> channels() {
    return List.of(LISTED);
  }

  @Override
  public List<Question<?, ?>> questions() {
    return List.of(UntrustedFiles.QUESTION);
  }

  @Override
  public void beforeAgent(AgentContext context) throws Exception {
    var listed = context.node().step("list-skills", Listed.class, () -> new Listed(instructions()));
    context.write(LISTED, listed);
  }

  @Override
  public ChatRequest beforeModel(ChatRequest request, AgentContext context) {
    var text = context.find(LISTED).map(Listed::text).orElse("");
    return text.isEmpty() ? request : inPrefix(request, "skills", text);
  }

  /// A request with more instructions at the end of its stable prefix.
  static ChatRequest inPrefix(ChatRequest request, String id, String text) {
    var messages = new ArrayList<Message>(request.messages());
    messages.add(request.prefix(), new SystemMessage(id, text));
    return request.withMessages(messages).withPrefix(request.prefix() + 1, request.cacheHint());
  }

  @Override
  public String toString() {
    return "Skills" + folders.folders();
  }
}
