import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Makes each call of a compiled method take longer: a loop that waits for the clock, in the method itself.
 *
 * <p>java SlowerMethod.java FOLDER_OF_JARS package/Name method NANOSECONDS OUT.class
 */
public final class SlowerMethod {

    private static final ClassDesc SYSTEM = ClassDesc.of("java.lang.System");
    private static final ClassDesc THREAD = ClassDesc.of("java.lang.Thread");
    private static final MethodTypeDesc CLOCK = MethodTypeDesc.of(ConstantDescs.CD_long);
    private static final MethodTypeDesc PAUSE = MethodTypeDesc.of(ConstantDescs.CD_void);

    private SlowerMethod() {}

    public static void main(String[] arguments) throws IOException {
        String name = arguments[1];
        String method = arguments[2];
        long forNs = Long.parseLong(arguments[3]);
        try (URLClassLoader jars = new URLClassLoader(jars(Path.of(arguments[0])))) {
            ClassFile.ClassHierarchyResolverOption hierarchy = ClassFile.ClassHierarchyResolverOption.of(
                    ClassHierarchyResolver.ofResourceParsing(jars).orElse(ClassHierarchyResolver.defaultResolver()));
            ClassFile classFile = ClassFile.of(hierarchy);
            byte[] bytes;
            try (var stream = jars.getResourceAsStream(name + ".class")) {
                bytes = stream.readAllBytes();
            }
            ClassModel model = classFile.parse(bytes);
            if (model.methods().stream().noneMatch(one -> one.methodName().equalsString(method))) {
                throw new IllegalArgumentException(name + " has no method " + method);
            }
            ClassTransform slower = ClassTransform.transformingMethodBodies(
                    one -> one.methodName().equalsString(method), loop(forNs));
            Files.write(Path.of(arguments[4]), classFile.transformClass(model, slower));
        }
    }

    private static URL[] jars(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .map(SlowerMethod::url)
                    .toArray(URL[]::new);
        }
    }

    private static URL url(Path file) {
        try {
            return file.toUri().toURL();
        } catch (MalformedURLException failure) {
            throw new IllegalArgumentException(failure);
        }
    }

    private static CodeTransform loop(long forNs) {
        return new CodeTransform() {
            @Override
            public void atStart(CodeBuilder code) {
                int end = code.allocateLocal(TypeKind.LONG);
                Label again = code.newLabel();
                Label done = code.newLabel();
                code.invokestatic(SYSTEM, "nanoTime", CLOCK)
                        .loadConstant(forNs)
                        .ladd()
                        .lstore(end)
                        .labelBinding(again)
                        .invokestatic(SYSTEM, "nanoTime", CLOCK)
                        .lload(end)
                        .lcmp()
                        .ifge(done)
                        .invokestatic(THREAD, "onSpinWait", PAUSE)
                        .goto_(again)
                        .labelBinding(done);
            }

            @Override
            public void accept(CodeBuilder code, CodeElement element) {
                code.with(element);
            }
        };
    }
}
