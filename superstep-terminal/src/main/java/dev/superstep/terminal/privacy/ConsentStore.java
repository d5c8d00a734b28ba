package dev.superstep.terminal.privacy;

import static java.util.Objects.requireNonNull;

import dev.superstep.file.PrivateFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/// The vendors to which texts of a folder may go: a person agrees once for each vendor and folder,
/// before the first text goes. Kept in one file that only its owner may read. Safe for many threads
/// of one process.
public final class ConsentStore {
  private static final JsonMapper JSON = JsonMapper.shared();

  private final Path file;

  /// Asks a person.
  @FunctionalInterface
  public interface Asking {
    /// Returns whether the person agrees that files and outputs of a folder go to a vendor.
    boolean agrees(String vendor, Path folder);
  }

  /// A vendor and a folder whose texts may go there.
  public record Agreement(String vendor, String folder) implements Comparable<Agreement> {
    @Override
    public int compareTo(Agreement other) {
      int byVendor = vendor.compareTo(other.vendor);
      return byVendor != 0 ? byVendor : folder.compareTo(other.folder);
    }
  }

  private ConsentStore(Path file) {
    this.file = file;
  }

  /// Opens the store, which need not be there yet.
  ///
  /// @param file below the person's folder of settings
  public static ConsentStore at(Path file) {
    return new ConsentStore(file);
  }

  /// Makes sure that texts of a folder may go to a vendor, and asks if nobody has agreed yet. Not
  /// to be called for models on this machine, which need no consent.
  ///
  /// @throws ConsentRefused if the person does not agree; that is not kept
  public synchronized void require(String vendor, Path folder, Asking asking) {
    if (isGiven(vendor, folder)) return;
    var place = real(folder);
    if (!asking.agrees(vendor, place)) throw new ConsentRefused(vendor, place);
    var all = all();
    all.add(new Agreement(vendor, place.toString()));
    write(all);
  }

  /// Returns whether a person has agreed.
  public synchronized boolean isGiven(String vendor, Path folder) {
    return all().contains(new Agreement(vendor, real(folder).toString()));
  }

  /// Takes an agreement back.
  public synchronized void withdraw(String vendor, Path folder) {
    var all = all();
    if (all.remove(new Agreement(vendor, real(folder).toString()))) write(all);
  }

  /// The agreements, in order.
  public synchronized List<Agreement> agreements() {
    return List.copyOf(all());
  }

  /// Takes an agreement back, also of a folder that is gone.
  public synchronized void withdraw(Agreement agreement) {
    var all = all();
    if (all.remove(agreement)) write(all);
  }

  private SortedSet<Agreement> all() {
    var all = new TreeSet<Agreement>();
    if (!Files.exists(file)) return all;
    try {
      for (var each : JSON.readTree(Files.readString(file)).path("agreed")) {
        all.add(new Agreement(each.path("vendor").asString(), each.path("folder").asString()));
      }
      return all;
    } catch (JacksonException _) {
      // What was agreed to is not known any more, so nothing was.
      return new TreeSet<>();
    } catch (IOException e) {
      throw new UncheckedIOException("the file of agreements cannot be read: " + file, e);
    }
  }

  private void write(SortedSet<Agreement> all) {
    var object = JSON.createObjectNode();
    var agreed = object.putArray("agreed");
    for (var each : all) {
      agreed.addObject().put("vendor", each.vendor()).put("folder", each.folder());
    }
    try {
      PrivateFiles.createDirectories(requireNonNull(file.toAbsolutePath().getParent()));
      PrivateFiles.replace(file, object.toString());
    } catch (IOException e) {
      throw new UncheckedIOException("the file of agreements cannot be written: " + file, e);
    }
  }

  private static Path real(Path folder) {
    try {
      return folder.toRealPath();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot be found: " + folder, e);
    }
  }

  @Override
  public String toString() {
    return "ConsentStore[" + file + "]";
  }
}
