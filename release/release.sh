# Makes what is published, for `./superstep release`; see docs/releasing.md. Read by the launcher, whose functions and
# variables it uses. Everything goes to target/release.
# shellcheck shell=sh

release() {
  made=$home/target/release
  step=${1:-}
  [ $# -eq 0 ] || shift
  case $step in
    jars) release_jars "$@" ;;
    archive) release_archive "$@" ;;
    javadoc) release_javadoc "$@" ;;
    api) release_api "$@" ;;
    *)
      say "usage: superstep release jars|archive|javadoc|api BASELINE -- see docs/releasing.md"
      exit 2
      ;;
  esac
}

# --- Jars ---

# Sets published to the modules that others depend on, with the parent of their poms.
published_modules() {
  published=:superstep-parent
  for module in "$home"/superstep-*/pom.xml; do
    module=${module%/pom.xml}
    published=$published,${module##*/}
  done
}

# Fills target/release/repository, which is laid out as a Maven repository is, with checksums. The first argument may
# name modules, with commas between them; the others go to Maven.
release_jars() {
  need_maven
  published_modules
  case ${1:--} in
    -*) ;;
    *)
      published=$1
      shift
      ;;
  esac
  rm -rf "${made:?}/repository"
  maven -Prelease -DskipTests -Dmaven.test.skip=true -am -pl "$published" deploy \
    -DaltDeploymentRepository="superstep::file://$made/repository" "$@"
  say "the jars are in $made/repository"
}

# One folder of Javadoc for all modules: target/release/javadoc, or $1. It has no time in it, and fetches nothing.
release_javadoc() {
  need_maven
  folder=${1:-$made/javadoc}
  published_modules
  maven -q -Ddev -am -pl "$published" compile dependency:build-classpath -Dmdep.includeScope=compile \
    -Dmdep.outputFile=target/dev/javadoc.path >&2
  set --
  modules=
  for file in "$home"/superstep-*/src/main/java/module-info.java; do
    module=$(sed -n 's/^module \([a-z0-9.]*\) {.*/\1/p' "$file")
    modules=$modules${modules:+,}$module
    set -- "$@" --module-source-path "$module=${file%/module-info.java}"
  done
  # The first jar of a module counts, as on any module path.
  jars=$(cat "$home"/superstep-*/target/dev/javadoc.path | tr ':' '\n' | grep '\.jar$' | grep -v '/jazzer' | awk '!seen[$0]++' | paste -s -d:)
  rm -rf "${folder:?}"
  mkdir -p "$folder"
  "$java_home/bin/javadoc" -J-Xmx3g -quiet -notimestamp -Werror -Xdoclint:all,-missing -windowtitle Superstep \
    -doctitle Superstep -d "$folder" --module-path "$jars" "$@" --module "$modules" >&2 ||
    fail "Javadoc has faults, see above."
  say "the Javadoc is in $folder"
}

# --- The API ---

# Compares what users of the modules can name with the jars of BASELINE: a tag or a commit, which is built first, or a
# folder of jars.
release_api() {
  baseline=${1:-}
  [ -n "$baseline" ] || fail "name the baseline: superstep release api TAG, or a folder of its jars."
  shift
  jars=$baseline
  # A tree with jars, for tests; by default this one.
  tree=${1:-$home}
  if [ ! -d "$baseline" ]; then
    jars=$made/baseline/$baseline
    [ -d "$jars" ] || build_baseline
  fi
  build_tool release
  exec "$java_home/bin/java" -cp "$tools/target/dev/classes:$(cat "$tools_path")" \
    dev.superstep.release.ApiCheck "$tree" "$jars"
}

build_baseline() {
  git -C "$home" rev-parse --quiet --verify "$baseline^{commit}" >/dev/null ||
    fail "there is neither a commit nor a folder $baseline."
  say "building $baseline ..."
  source=$(mktemp -d)
  git -C "$home" archive "$baseline" | tar -x -C "$source"
  mkdir -p "$made"
  (
    home=$source
    maven -Ddev -Dmaven.test.skip=true package
  ) >"$made/baseline.log" 2>&1 || fail "the build of $baseline failed; the whole log is in $made/baseline.log"
  mkdir -p "$jars.next"
  for module in "$source"/superstep-*; do
    for jar in "$module"/target/dev/superstep-*[0-9T].jar; do
      [ ! -f "$jar" ] || cp "$jar" "$jars.next/${module##*/}.jar"
    done
  done
  rm -rf "$source"
  mv "$jars.next" "$jars"
}

# --- The archive ---

# What the command and the programs that it compiles may use of the JDK. Not java.desktop, which doubles the size.
JDK_MODULES=java.base,java.compiler,java.instrument,java.logging,java.management,java.naming,java.net.http,\
java.prefs,java.scripting,java.security.jgss,java.security.sasl,java.sql,java.transaction.xa,java.xml,\
java.xml.crypto,jdk.compiler,jdk.crypto.ec,jdk.httpserver,jdk.management,jdk.net,jdk.unsupported,jdk.zipfs

# What the archive's command has in common with this one.
SHARED="say fail folder_of follow find_home typed_command class_path jvm_flags say_version start_program"

# A folder for linux-x64 that holds the command and a JVM, and nothing that comes from elsewhere at run time.
release_archive() {
  [ "$(uname -sm)" = "Linux x86_64" ] ||
    fail "the archive is made for linux-x64, on linux-x64: its class cache holds what a JVM of that platform loaded."
  need_maven
  out=$home/superstep-cli/target
  for argument in "$@"; do
    [ "$argument" != -Ddev ] || out=$home/superstep-cli/target/dev
  done
  mkdir -p "$made"
  log=$made/archive.log
  say "building ..."
  maven -Prelease -Dmaven.test.skip=true -Dmaven.javadoc.skip=true package -am -pl superstep-cli "$@" \
    >"$log" 2>&1 </dev/null || fail "the build failed; the whole log is in $log"
  IFS= read -r version <"$out/classes/dev/superstep/cli/host/version.txt"
  name=superstep-$version-linux-x64
  stage=$made/$name
  rm -rf "${stage:?}"
  mkdir -p "$stage/bin" "$stage/lib/lib"
  say "filling $stage ..."
  archive_files
  archive_clock
  archive_cache
  say "packing ..."
  pack
  say "the archive is $made/$name.tar.gz"
}

archive_files() {
  "$java_home/bin/jlink" --add-modules "$JDK_MODULES" --strip-java-debug-attributes --no-header-files --no-man-pages \
    --generate-cds-archive --output "$stage/lib/runtime" >>"$log" 2>&1 ||
    fail "jlink failed; see $log"
  # Only for heaps of more than 32 GB.
  rm -f "$stage/lib/runtime/lib/server/classes_nocoops.jsa"
  cp "$out/superstep-cli-$version.jar" "$stage/lib/"
  cp "$out"/lib/*.jar "$stage/lib/lib/"
  cp "$out/classes/dev/superstep/cli/host/version.txt" "$stage/lib/"
  cp "$out/bom.json" "$stage/lib/"
  cp "$home/LICENSE" "$stage/"
  cp "$home/release/README.md" "$stage/"
  cp -R "$home/release/systemd" "$home/release/Containerfile" "$home/release/Containerfile.serve" \
    "$home/release/health.sh" "$stage/lib/"
  mkdir -p "$stage/examples"
  for example in refunds log-report; do
    cp -R "$home/examples/$example" "$stage/examples/"
  done
  built=$stage/lib
  native=$stage/lib/native
  aot=$stage/lib/superstep.aot
  prepare >>"$log" 2>&1
  archive_command >"$stage/bin/superstep"
  chmod 755 "$stage/bin/superstep"
  archive_pages
}

# The start of the command from a source tree builds what changed; this one has nothing to build.
archive_command() {
  cat "$home/release/head.sh"
  for function in $SHARED; do
    printf '\n'
    awk -v head="$function() {" 'index($0, head) == 1 { inside = 1 }
      inside { print }
      inside && (/^}$/ || (index($0, head) == 1 && /}$/)) { exit }' "$home/superstep"
  done
  cat "$home/release/tail.sh"
}

# Completions and manual pages are printed by the command itself, so they tell what it takes.
archive_pages() {
  share=$stage/share
  mkdir -p "$share/bash-completion/completions" "$share/zsh/site-functions" "$share/man/man1"
  "$stage/bin/superstep" completion bash >"$share/bash-completion/completions/superstep"
  "$stage/bin/superstep" completion zsh >"$share/zsh/site-functions/_superstep"
  "$stage/bin/superstep" completion man >"$share/man/man1/superstep.1"
}

# The class cache is only taken beside jars with the times that it was made with, and these should be the same in each
# build.
archive_clock() {
  clock=$(sed -n 's|.*<project.build.outputTimestamp>\(.*\)</.*|\1|p' "$home/pom.xml")
  find "$stage" -exec touch -h -d "$clock" {} +
}

# It holds what an example loaded that ran to its end, and a check of it.
archive_cache() {
  jvm_flags
  class_path
  practice=$(mktemp -d)
  (cd "$practice" && "$stage/lib/runtime/bin/java" $flags $short_lived -XX:AOTCacheOutput="$aot" \
    -Dorg.sqlite.lib.path="$native" -Dsuperstep.home="$stage" -cp "$classes" dev.superstep.cli.Main \
    run "$stage/examples/refunds" --yes) >>"$log" 2>&1 </dev/null ||
    fail "the run that fills the class cache failed; see $log"
  rm -rf "$practice"
  [ -f "$aot" ] || fail "the JVM wrote no class cache; see $log"
  touch -d "$clock" "$aot"
  touch -d "$clock" "$stage/lib"
}

pack() {
  tar --create --directory "$made" --sort=name --mtime="$clock" --owner=0 --group=0 --numeric-owner \
    --mode=u+rw,go+r,go-w,a+X --format=gnu "$name" | gzip -n >"$made/$name.tar.gz"
  (cd "$made" && sha256sum "$name.tar.gz" >"$name.tar.gz.sha256")
}
