package dev.superstep.bench.limit;

/// W6: a program that only says which version of nothing it is, to see what a JVM costs.
public final class VersionProgram {
  private VersionProgram() {}

  public static void main(String[] arguments) {
    System.out.println("nothing 1");
  }
}
