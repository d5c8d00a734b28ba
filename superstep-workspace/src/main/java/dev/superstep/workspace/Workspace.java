package dev.superstep.workspace;

import dev.superstep.model.Environment;
import dev.superstep.tool.ToolContext;
import dev.superstep.tool.ToolError;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;

/// Where tools may read and write files, which commands they may run, and which hosts they may
/// fetch from. Nothing is allowed that is not said: by itself a workspace has its directory, and
/// neither commands nor hosts. [WorkspaceTools] gives it to an agent.
///
/// ```java
/// var workspace =
///     Workspace.at(Path.of("project"))
///         .reading(Path.of("handbook"))
///         .commands(AllowedCommand.git("status", "diff"))
///         .hosts("example.org");
/// workspace.write("notes/today.md", "...");
/// ```
///
/// **Paths.** What is named is looked up in the file system, links followed, and must then be
/// inside. Then it is opened directory by directory, by descriptors and without following links, so
/// that a directory which is swapped for a link in the meantime is not followed either. A write
/// puts a new file in the place of the old one at once. What remains: hard links cannot be told
/// from files, so a file inside that is also somewhere else can be read (written it cannot be
/// there, as the name inside gets a new file). Mounts are followed, and no directory is made inside
/// of one. On systems whose Java cannot hold directories (Windows), a swap that is undone at once
/// stays unseen. A file that is swapped for a named pipe at the right moment costs its reader some
/// seconds and an error; at most 64 such readers are waited for in the background. Nothing can be
/// written into a `.git`, whose files say what git runs.
///
/// **Commands** are words, never a line for a shell. A program is looked up in the directories of
/// the search path that the process had when the workspace was made. Its arguments are options that
/// were allowed, and paths that lead into the workspace, unless [AllowedCommand] says otherwise. It
/// runs in the root with nothing to read and few variables, and is killed with its descendants when
/// its time is over. It is no sandbox: a program that runs may do whatever this process may do.
///
/// **Fetches** are GETs of hosts that are named. A name that stands for an address of this machine
/// or its network is refused, at each redirect anew. A name is looked up once for each of them, and
/// what is connected to is the address that was checked, whatever the name stands for by then; so
/// no proxy is used, and HTTP/1.1 is spoken.
///
/// Immutable, safe for many threads; the methods that configure return changed copies.
public final class Workspace {
  private static final System.Logger LOG = System.getLogger("dev.superstep.workspace");

  /// What programs cannot do without, and no secret is in.
  private static final List<String> VARIABLES =
      List.of("LANG", "LC_ALL", "LC_CTYPE", "TZ", "SYSTEMROOT", "TEMP", "TMP");

  private static final int SETTINGS_MAX = 1_048_576;

  private final Environment environment;
  private PathResolver places;
  private Tree tree = new Tree(Folder::of);
  private CommandPolicy programs;
  private HostPolicy hosts = new HostPolicy(List.of());
  private Map<String, String> variables = Map.of();
  private WorkspaceLimits limits = WorkspaceLimits.standard();
  private String policy;
  private List<WorkspaceListener> listeners = List.of();
  private UrlFetcher.Web web = new UrlFetcher.Web(AddressLookup.SYSTEM, null);
  private Caller caller = new Caller("", "");

  /// Who uses it: a call of a tool, or the program.
  private record Caller(String tool, String call) {}

  private Workspace(Root root, Environment environment) {
    this.environment = environment;
    this.places = new PathResolver(List.of(root));
    var name = root.real().getFileName();
    this.policy = name == null ? "workspace" : name.toString();
    this.programs =
        new CommandPolicy(List.of(), CommandPolicy.directories(environment.get("PATH").orElse("")));
    this.variables = inherited(VARIABLES);
  }

  private Workspace(Workspace from) {
    this.environment = from.environment;
    this.places = from.places;
    this.tree = from.tree;
    this.programs = from.programs;
    this.hosts = from.hosts;
    this.variables = from.variables;
    this.limits = from.limits;
    this.policy = from.policy;
    this.listeners = from.listeners;
    this.web = from.web;
    this.caller = from.caller;
  }

  /// A workspace in a directory, which may be read and written.
  ///
  /// @throws IllegalArgumentException if there is no such directory
  public static Workspace at(Path directory) {
    return at(directory, Environment.ofProcess());
  }

  /// The same with other variables than those of the process.
  public static Workspace at(Path directory, Environment environment) {
    return new Workspace(Root.of(directory, true), environment);
  }

  /// A new directory, which is deleted in the end.
  public static TemporaryWorkspace temporary() {
    return temporary(WorkspaceListener.NONE);
  }

  /// The same, told to a listener.
  public static TemporaryWorkspace temporary(WorkspaceListener listener) {
    return TemporaryWorkspace.make(listener);
  }

  /// With a directory besides that may be read. Of directories within each other, the inner one
  /// decides: `workspace.reading(workspace.root().resolve(".git"))` protects a part.
  public Workspace reading(Path directory) {
    return with(Root.of(directory, false));
  }

  /// With a directory besides that may be read and written, by absolute paths.
  public Workspace writing(Path directory) {
    return with(Root.of(directory, true));
  }

  private Workspace with(Root root) {
    var copy = new Workspace(this);
    copy.places =
        new PathResolver(Stream.concat(places.roots().stream(), Stream.of(root)).toList());
    return copy;
  }

  /// With these commands allowed besides.
  public Workspace commands(AllowedCommand... allowed) {
    var copy = new Workspace(this);
    copy.programs = programs.and(List.of(allowed));
    return copy;
  }

  /// With programs in these directories only; in those of the `PATH` at the time when the workspace
  /// was made unless set.
  public Workspace programsIn(Path... directories) {
    var copy = new Workspace(this);
    for (var one : directories) {
      if (!one.isAbsolute()) {
        throw new IllegalArgumentException("directories must be absolute, one was `" + one + "`");
      }
    }
    copy.programs = new CommandPolicy(programs.allowed(), List.of(directories));
    return copy;
  }

  /// With these variables of the process shown to commands, if they are set. A command sees the
  /// language, the time zone and a search path, and nothing else unless set.
  public Workspace passing(String... names) {
    return with(inherited(List.of(names)));
  }

  /// With a variable shown to commands.
  public Workspace variable(String name, String value) {
    return with(Map.of(name, value));
  }

  private Workspace with(Map<String, String> more) {
    var copy = new Workspace(this);
    var all = new TreeMap<>(variables);
    all.putAll(more);
    copy.variables = Map.copyOf(all);
    return copy;
  }

  /// With fetches from these hosts: a name, `*.example.org` for all below it, or `*`, perhaps with
  /// `:` and a port. The ports are 80 and 443 unless it says. An address written in numbers may be
  /// a private one, a name may not stand for one.
  public Workspace hosts(String... names) {
    var copy = new Workspace(this);
    copy.hosts = hosts.and(Stream.of(names).map(n -> AllowedHost.parse(n, false)).toList());
    return copy;
  }

  /// With fetches from these hosts, also if they are in the own network or this very machine.
  public Workspace privateHosts(String... names) {
    var copy = new Workspace(this);
    copy.hosts = hosts.and(Stream.of(names).map(n -> AllowedHost.parse(n, true)).toList());
    return copy;
  }

  /// With other certificates than those of the JVM to prove who a host is.
  public Workspace tls(SSLContext own) {
    var copy = new Workspace(this);
    copy.web = new UrlFetcher.Web(web.lookup(), own);
    return copy;
  }

  /// The same with other answers to where a host is.
  Workspace lookup(AddressLookup other) {
    var copy = new Workspace(this);
    copy.web = new UrlFetcher.Web(other, web.tls());
    return copy;
  }

  /// With other limits.
  public Workspace limits(WorkspaceLimits most) {
    var copy = new Workspace(this);
    copy.limits = most;
    return copy;
  }

  /// With another name under which events tell of it; that of the directory unless set.
  public Workspace policy(String name) {
    if (name.isBlank()) throw new IllegalArgumentException("policy must not be blank");
    var copy = new Workspace(this);
    copy.policy = name;
    return copy;
  }

  /// With one more listener.
  public Workspace listener(WorkspaceListener hears) {
    var copy = new Workspace(this);
    copy.listeners = Stream.concat(listeners.stream(), Stream.of(hears)).toList();
    return copy;
  }

  /// Its directory, by its canonical path.
  public Path root() {
    return places.roots().getFirst().real();
  }

  /// The name under which events tell of it.
  public String policy() {
    return policy;
  }

  /// What each thing may take.
  public WorkspaceLimits limits() {
    return limits;
  }

  /// The commands that it allows, as they are shown to models.
  public List<String> allowedCommands() {
    return programs.allowed().stream().map(AllowedCommand::toString).toList();
  }

  /// The hosts that it allows, as they are shown to models.
  public List<String> allowedHosts() {
    return hosts.allowed().stream().map(AllowedHost::toString).toList();
  }

  /// Where a path leads: from the root, or absolute. It need not exist. The answer is true for this
  /// moment; [#read], [#write] and [#list] check again while they work.
  ///
  /// @throws ToolError.PathEscape if it leads out
  /// @throws ToolError.Io if it cannot be looked at
  public Path resolve(String path) {
    return place(path).path();
  }

  /// The text of a file, if it is all of the file.
  ///
  /// @throws ToolError.PathEscape if it is not inside
  /// @throws ToolError.Io if it cannot be read
  /// @throws ToolError.Other if it is not text in UTF-8, or is longer than the limit
  public String read(String path) {
    var read = bytes(path);
    if (read.isCut()) {
      throw new ToolError.Other(
          path,
          "It has more than the %d bytes that may be read. Take another file."
              .formatted(limits.readBytes()));
    }
    return text(path, read.bytes());
  }

  /// As much of a file as may be read.
  BoundedPrefix bytes(String path) {
    var place = place(path);
    return guarded(() -> tree.read(place, limits.readBytes()));
  }

  /// @throws ToolError.Other if it is not UTF-8
  static String text(String path, ByteBuffer bytes) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .onUnmappableCharacter(CodingErrorAction.REPORT)
          .decode(bytes)
          .toString();
    } catch (CharacterCodingException _) {
      throw new ToolError.Other(path, "It is not text in UTF-8. Take another file.");
    }
  }

  /// Writes a file in UTF-8, and makes the directories that it is in. Whoever reads it at the same
  /// time sees the whole old text or the whole new one.
  ///
  /// @return whether the file is new
  /// @throws ToolError.PathEscape if it is not inside, or where nothing may be written
  /// @throws ToolError.Io if it cannot be written
  /// @throws ToolError.Other if it is longer than the limit
  public boolean write(String path, String text) {
    var place = place(path);
    if (!place.root().isWritable()) {
      throw violated(new ToolError.PathEscape(path, "leads to where files may only be read"));
    }
    if (place.isOfGit()) {
      throw violated(
          new ToolError.PathEscape(path, "leads into a `.git`, whose files run programs"));
    }
    var content = text.getBytes(StandardCharsets.UTF_8);
    if (content.length > limits.writtenBytes()) {
      throw new ToolError.Other(
          path,
          "It would have %d bytes, and the most are %d. Write less, or several files."
              .formatted(content.length, limits.writtenBytes()));
    }
    return guarded(() -> tree.write(place, content));
  }

  /// What is in a directory and below, down to the limit.
  ///
  /// @param path empty for the root
  /// @throws ToolError.PathEscape if it is not inside
  /// @throws ToolError.Io if it cannot be listed
  public FolderListing list(String path) {
    return list(path, limits.depth());
  }

  /// The same, not as deep.
  ///
  /// @param depth 1 for the directory alone; at most what the limit is
  public FolderListing list(String path, int depth) {
    if (depth < 1) throw new IllegalArgumentException("depth must be at least 1, was " + depth);
    var place = place(path);
    int most = Math.min(depth, limits.depth());
    return guarded(() -> tree.list(place, most, limits.entries()));
  }

  /// Whether a command may run; it throws if not.
  ///
  /// @param command the program and its arguments
  /// @return the file of the program
  /// @throws ToolError.ForbiddenCommand if it may not
  public Path check(List<String> command) {
    return guarded(() -> programs.check(command, places)).program();
  }

  /// Runs a command and waits for its end. What it says by its exit code is a result, not an error.
  ///
  /// @param command the program and its arguments
  /// @throws ToolError.ForbiddenCommand if it may not run
  /// @throws ToolError.PathEscape if an argument leads out of the workspace
  /// @throws ToolError.Io if it does not start
  /// @throws InterruptedException if this thread is interrupted; the command is then killed
  public CommandResult run(List<String> command) throws InterruptedException {
    var words = List.copyOf(command);
    var permit = guarded(() -> programs.check(words, places));
    var variables = variablesOfCommands();
    var order = new RunningCommand.Order(words, permit.program(), root(), variables);
    try {
      if (permit.arguments() == AllowedCommand.Arguments.CHECKED_FOR_GIT) order = guarded(order);
      return run(order, limits.outputBytes()).of(words);
    } catch (IOException e) {
      throw new ToolError.Io("run", words.getFirst(), e);
    }
  }

  private CommandResult run(RunningCommand.Order order, int outputMax)
      throws InterruptedException, IOException {
    try (var running = RunningCommand.start(order, outputMax)) {
      return running.result(order.command(), limits.commandTime());
    }
  }

  /// A command of git that runs nothing else: it needs to know which filters there are.
  private RunningCommand.Order guarded(RunningCommand.Order order)
      throws InterruptedException, IOException {
    var variables = new LinkedHashMap<>(order.variables());
    variables.putAll(GitGuard.variables(root()));
    var listing = GitGuard.listing(order.command().getFirst());
    var listed =
        run(new RunningCommand.Order(listing, order.program(), root(), variables), SETTINGS_MAX);
    if (!listed.isGood() || listed.out().isCut()) {
      throw new IOException("the settings of the repository cannot be read");
    }
    variables.putAll(GitGuard.without(GitGuard.filters(listed.out().text())));
    return new RunningCommand.Order(
        GitGuard.guarded(order.command()), order.program(), root(), variables);
  }

  private Map<String, String> variablesOfCommands() {
    var all = new LinkedHashMap<String, String>();
    all.put("PATH", programs.searchPath(places));
    all.putAll(variables);
    return all;
  }

  /// Fetches a text.
  ///
  /// @throws ToolError.Http if its host is not allowed or does not answer well
  /// @throws InterruptedException if this thread is interrupted
  public FetchedText fetch(URI uri) throws InterruptedException {
    return new UrlFetcher(hosts, limits, web, this::violated).fetch(uri);
  }

  private ResolvedPath place(String path) {
    return guarded(() -> places.find(path));
  }

  private <T> T guarded(Supplier<T> work) {
    try {
      return work.get();
    } catch (ToolError.PathEscape | ToolError.ForbiddenCommand e) {
      throw violated(e);
    }
  }

  private <E extends ToolError> E violated(E error) {
    tell(new WorkspaceEvent.Violated(policy, error.code(), caller.tool(), caller.call()));
    return error;
  }

  void tell(WorkspaceEvent event) {
    for (var listener : listeners) {
      try {
        listener.on(event);
      } catch (RuntimeException e) {
        LOG.log(System.Logger.Level.WARNING, "A listener of " + event.name() + " failed.", e);
      }
    }
  }

  /// The same as a call of a tool uses it: what it violates is told to the run.
  Workspace usedBy(ToolContext context) {
    var copy = listener(event -> context.emit(event.name(), event));
    copy.caller = new Caller(context.tool(), context.callId());
    return copy;
  }

  /// The same over another way to the file system.
  Workspace over(Tree other) {
    var copy = new Workspace(this);
    copy.tree = other;
    return copy;
  }

  PathResolver places() {
    return places;
  }

  Tree tree() {
    return tree;
  }

  private Map<String, String> inherited(List<String> names) {
    var found = new TreeMap<String, String>();
    for (var name : names) environment.get(name).ifPresent(value -> found.put(name, value));
    return found;
  }
}
