package io.stockstats.nativeimage;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.stream.Collectors.toCollection;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What the libraries that are not Java look for in Java, and where they lie. */
final class LibraryNeeds {

    private static final Pattern COMPRESSION = Pattern.compile(
            "(linux/(amd64|aarch64)/libzstd-jni|org/xerial/snappy/native/Linux/(x86_64|aarch64)/libsnappyjava).*\\.so");

    private LibraryNeeds() {}

    /** RocksDB's: the classes of its own that it makes, of those that Kafka Streams or the service knows. */
    static Set<Need> rocksDb(JavaClasses main) throws IOException {
        JavaClasses streams = new ClassFileImporter().importPackages("org.apache.kafka.streams.state.internals");
        Set<String> known = Stream.of(main, streams)
                .flatMap(JavaClasses::stream)
                .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                .map(dependency -> dependency.getTargetClass().getName())
                .filter(name -> name.startsWith("org.rocksdb.") && !name.endsWith(";"))
                .collect(toCollection(TreeSet::new));
        Set<Need> needs = new TreeSet<>();
        for (String name : known) {
            for (Method method : type(name).getDeclaredMethods()) {
                if (!Modifier.isNative(method.getModifiers())) {
                    continue;
                }
                Stream.concat(Stream.of(method.getReturnType()), Arrays.stream(method.getExceptionTypes()))
                        .map(Class::getName)
                        .filter(known::contains)
                        .forEach(made -> needs.add(Need.jni(made, "constructors")));
                if (method.getReturnType() == byte[][].class) {
                    needs.add(Need.jni(byte[].class.getName(), ""));
                }
            }
        }
        return needs;
    }

    /** The compressions': fields and methods of the classes with native methods that the library knows by name. */
    static Set<Need> compressions() throws IOException {
        Set<Need> needs = new TreeSet<>();
        Path zstd = jarOf("com.github.luben.zstd.Zstd");
        Path snappy = jarOf("org.xerial.snappy.Snappy");
        for (Path jar : Set.of(zstd, snappy)) {
            try (JarFile file = new JarFile(jar.toFile())) {
                for (JarEntry library : file.stream()
                        .filter(entry -> COMPRESSION.matcher(entry.getName()).matches())
                        .toList()) {
                    needs.add(Need.resource(library.getName()));
                    String text = new String(file.getInputStream(library).readAllBytes(), ISO_8859_1);
                    for (String name : Set.of(
                            "com.github.luben.zstd.ZstdInputStreamNoFinalizer",
                            "com.github.luben.zstd.ZstdOutputStreamNoFinalizer",
                            "org.xerial.snappy.SnappyNative")) {
                        if (jarOf(name).equals(jar)) {
                            lookedUp(type(name), text).forEach(needs::add);
                        }
                    }
                }
            }
        }
        return needs;
    }

    private static Stream<Need> lookedUp(Class<?> type, String library) {
        Stream<String> fields = Arrays.stream(type.getDeclaredFields())
                .filter(field -> !Modifier.isStatic(field.getModifiers()))
                .map(Field::getName);
        Stream<String> methods = Arrays.stream(type.getDeclaredMethods())
                .filter(method -> !Modifier.isNative(method.getModifiers()))
                .map(Method::getName);
        return Stream.concat(fields, methods)
                .filter(name -> library.contains("\0" + name + "\0"))
                .map(name -> Need.jni(type.getName(), name));
    }

    private static Path jarOf(String name) {
        return Path.of(URI.create(
                type(name).getProtectionDomain().getCodeSource().getLocation().toString()));
    }

    private static Class<?> type(String name) {
        try {
            return Class.forName(name, false, LibraryNeeds.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }
}
