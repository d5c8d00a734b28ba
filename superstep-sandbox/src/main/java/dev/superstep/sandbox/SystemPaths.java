package dev.superstep.sandbox;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// Paths of the system that programs cannot do without, and that hold no secrets.
final class SystemPaths {
  /// The directories of installed programs and libraries.
  static final List<Path> PROGRAMS = paths("/usr /bin /sbin /lib /lib32 /lib64 /libx32 /nix/store");

  /// Settings that programs read, one by one: others in the same directory are secret.
  static final List<Path> SETTINGS =
      paths(
          "/etc/ld.so.cache /etc/ld.so.conf /etc/ld.so.conf.d /etc/alternatives /etc/passwd"
              + " /etc/group /etc/nsswitch.conf /etc/localtime /etc/timezone /etc/os-release"
              + " /etc/debian_version /etc/ssl/certs /etc/ssl/openssl.cnf /etc/pki/tls/certs"
              + " /etc/pki/ca-trust/extracted /etc/ca-certificates /etc/terminfo /etc/inputrc"
              + " /etc/mime.types /etc/magic /etc/perl /etc/python3 /etc/host.conf /etc/services"
              + " /etc/protocols /etc/gai.conf");

  /// Devices that may be read and written.
  static final List<Path> DEVICES = paths("/dev/null /dev/zero /dev/full");

  /// Devices that may be read, and facts about the machine.
  static final List<Path> FACTS =
      paths("/dev/urandom /dev/random /proc/cpuinfo /proc/meminfo /proc/version /proc/filesystems");

  private SystemPaths() {}

  private static List<Path> paths(String all) {
    return Stream.of(all.split(" ")).map(Path::of).toList();
  }

  /// Those that there are.
  static Stream<Path> present(List<Path> paths) {
    return paths.stream().filter(Files::exists);
  }
}
