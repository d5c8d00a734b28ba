package dev.superstep.message;

import dev.superstep.json.Json;
import dev.superstep.json.SuperstepException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;

/// A file that code at the vendor has made. It is stored there, and can be downloaded by its id
/// until the vendor deletes it. Its name comes from the model, so do not use it as a path.
/// Immutable.
///
/// @param vendor the scheme of the vendor's model URLs
/// @param id of the file at the vendor
/// @param container of the file, where the vendor needs it for a download; else empty
/// @param name of the file, where the vendor tells it; else empty
public record HostedFile(String vendor, String id, String container, String name) {
  /// The vendor of the seal of files that the vendor reports outside of the message. No vendor has
  /// this name.
  private static final String SEAL = "hosted-file";

  /// The files of a message, in their order, each once.
  public static List<HostedFile> of(Message message) {
    var all = new ArrayList<HostedFile>();
    for (var part : message.content()) {
      if (!(part instanceof Content.Extension(var seal))) continue;
      if (seal.vendor().equals(SEAL)) read(seal.data()).ifPresent(all::add);
      else addOutputs(seal, all);
    }
    return all.stream().distinct().toList();
  }

  private static Optional<HostedFile> read(Json data) {
    try {
      return Optional.of(data.as(HostedFile.class));
    } catch (SuperstepException _) {
      return Optional.empty();
    }
  }

  /// Anthropic's results of code name the files that it left in its folder for output.
  private static void addOutputs(Content.Seal seal, List<HostedFile> to) {
    var part = JsonMapper.shared().readTree(seal.data().text());
    if (!part.path("type").asString("").endsWith("code_execution_tool_result")) return;
    for (var output : part.path("content").path("content")) {
      var id = output.path("file_id").asString("");
      if (!id.isEmpty()) to.add(new HostedFile(seal.vendor(), id, "", ""));
    }
  }

  /// The file as a part of a message, for vendors that report it outside of the message.
  public Content part() {
    return new Content.Extension(new Content.Seal(SEAL, Json.of(this)));
  }
}
