package dev.superstep.cli.text;

import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.RagFolder;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.mcp.FolderTools;
import dev.superstep.language.check.Names;
import dev.superstep.language.rag.Capability;
import dev.superstep.language.server.ProjectNames;
import java.net.URI;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The names that the `superstep.toml` beside a text gives, for editors. Where the folder has a
/// class in Java, only that class knows what it registers, so nothing is said to be missing.
public final class EditorNames implements ProjectNames {
  private final Host host;

  /// The names for the editor of a user.
  public EditorNames(Host host) {
    this.host = host;
  }

  @Override
  public Names of(URI source) {
    if (!"file".equals(source.getScheme())) return Names.unknown();
    try {
      return RagFolder.find(Path.of(source)).map(this::names).orElse(Names.unknown());
    } catch (UsageError | IllegalArgumentException | FileSystemNotFoundException _) {
      // A configuration that is wrong is told by the commands that use it.
      return Names.unknown();
    }
  }

  private Names names(RagFolder folder) {
    if (folder.isAlone() || folder.components().isPresent()) return Names.unknown();
    Map<Capability, Set<String>> names = new EnumMap<>(Capability.class);
    names.put(Capability.MODELS, folder.models().keySet());
    names.put(Capability.TEMPLATES, folder.prompts().keySet());
    names.put(Capability.TYPES, Set.of("failure"));
    var tools = new LinkedHashSet<String>();
    folder
        .tools()
        .ifPresent(root -> {
          tools.add("read_file");
          tools.add("list_files");
          if (root.isWritten()) tools.add("write_file");
        });
    names.put(Capability.TOOLS, tools);
    var known = Names.of(names);
    boolean hasModels = !folder.models().isEmpty();
    // Only a server that is started tells the names of its tools.
    boolean hasServers = FolderTools.areNamed(host, folder.root());
    return kind -> {
      boolean isUnknown =
          (kind == Capability.MODELS && !hasModels) || (kind == Capability.TOOLS && hasServers);
      return isUnknown ? Optional.empty() : known.registered(kind);
    };
  }
}
