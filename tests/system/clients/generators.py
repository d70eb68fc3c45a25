"""The table of generators, and what is done with each: generate a client, check its types, tell the story with it."""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from tests.installed import npm_packages, python_packages, require
from tools.environment import LOCKS

HERE = Path(__file__).parent
METHODS = ("get", "put", "post", "patch", "delete")


@dataclass(frozen=True)
class Generator:
    """A generator of clients. Its folder, named after it, has the story and the settings of its tools."""

    name: str
    language: Literal["Python", "TypeScript"]
    command: str
    operation: str
    """Matches an operation in what is generated: its method, and its path or operationId."""
    says_always: str = r"(?!)"
    """Matches the lines that it prints for every document, one with a single field too. Nothing can be mended there."""


GENERATORS = (
    Generator(
        "openapi_python_client",
        "Python",
        "openapi-python-client generate --path {document} --config config.yml --meta none --output-path generated",
        r'"method": "(\w+)",\s+"url": "([^"]+)"',
    ),
    Generator(
        "openapi_generator",
        "Python",
        # Its code for webhooks is not valid Python, whatever they are. So it is told the parts to write.
        "openapi-generator-cli generate -i {document} -g python -o . --package-name generated"
        " --global-property apis,models,supportingFiles,apiDocs=false,apiTests=false,modelDocs=false,modelTests=false",
        r"method='(\w+)',\s+resource_path='([^']+)'",
        says_always=r"^\[main\] INFO |OpenAPI 3.1 support is still in beta|Failed to get the schema name: null",
    ),
    Generator(
        "openapi_typescript",
        "TypeScript",
        "openapi-typescript {document} --output generated.ts",
        r'(\w+): operations\["(\w+)"\]',
    ),
    Generator(
        "hey_api",
        "TypeScript",
        "openapi-ts --input {document} --output generated",
        r"\.(\w+)<[^>]+>\(\{.*?url: '([^']+)'",
    ),
)


class Workshop:
    """A folder in which a client is generated and used, with the programs that this needs."""

    def __init__(self, generator: Generator, folder: Path) -> None:
        self.generator, self.folder = generator, folder
        shutil.copytree(HERE / generator.name, folder, dirs_exist_ok=True)
        if generator.language == "Python":
            programs = require(lambda: python_packages(LOCKS / "clients.txt")) / "bin"
        else:
            modules = require(lambda: npm_packages(HERE / "typescript")) / "node_modules"
            (folder / "node_modules").symlink_to(modules)
            shutil.copy(HERE / "typescript" / "tsconfig.json", folder)
            programs = modules / ".bin"
        self.path = os.pathsep.join([str(programs), os.environ["PATH"]])

    def run(self, *command: str, **environment: str) -> str:
        """Return what a command prints. Fail with that when the command fails."""
        program = shutil.which(command[0], path=self.path)
        assert program, f"{command[0]} is not among the installed packages"
        env = {name: value for name, value in os.environ.items() if name != "NODE_OPTIONS"}
        env |= {"PATH": self.path, **environment}
        output: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        done = subprocess.run([program, *command[1:]], cwd=self.folder, env=env, check=False, **output)
        assert done.returncode == 0, done.stdout
        return done.stdout

    def generate(self, document: Path) -> list[str]:
        """Generate the client. Return the warnings that the generator printed."""
        command = [part.format(document=document) for part in self.generator.command.split()]
        printed = self.run(*command).splitlines()
        is_warning = re.compile(r"\b(warn|error|unsupported|skip|omit|cannot|unable|fail)", re.IGNORECASE)
        always = re.compile(self.generator.says_always)
        return [line for line in printed if is_warning.search(line) and not always.search(line)]

    def find_dropped(self, document: Mapping[str, Any]) -> set[str]:
        """Return the operationIds of the document that the generated client does not have."""
        sources = [*self.folder.glob("generated*"), *self.folder.glob("generated/**/*")]
        texts = [source.read_text(encoding="utf-8") for source in sources if source.suffix in (".py", ".ts")]
        found = {each for text in texts for each in re.findall(self.generator.operation, text, re.DOTALL)}
        names = {(method.lower(), without_names(name)) for method, name in found}
        operations = [
            (method, without_names(path), item[method]["operationId"])
            for path, item in document["paths"].items()
            for method in METHODS
            if method in item
        ]
        return {name for method, path, name in operations if names.isdisjoint({(method, path), (method, name)})}

    def check_types(self) -> None:
        self.run(*({"Python": "mypy story.py generated", "TypeScript": "tsc"}[self.generator.language].split()))

    def tell_story(self, environment: Mapping[str, str]) -> list[str]:
        """Run the story. Return its steps."""
        story = {"Python": "python story.py", "TypeScript": "node compiled/story.js"}[self.generator.language]
        return self.run(*story.split(), **environment).splitlines()


def without_names(path: str) -> str:
    """Return a path with {} for each parameter: clients in Python write {dealId} as {deal_id}."""
    return re.sub(r"\{\w+\}", "{}", path)
