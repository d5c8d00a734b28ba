"""Prints the model profiles in LangChain's packages as JSON, by the provider that we name them for."""
import ast
import json
import sys
import zipfile

PROVIDERS = {"langchain_openrouter": "openrouter", "langchain_google_genai": "gemini"}

found = {}
for path in sys.argv[1:]:
    with zipfile.ZipFile(path) as wheel:
        for package, provider in PROVIDERS.items():
            name = package + "/data/_profiles.py"
            if name not in wheel.namelist():
                continue
            # Only read: nothing of the package is run.
            for statement in ast.parse(wheel.read(name)).body:
                if isinstance(getattr(statement, "value", None), ast.Dict):
                    found[provider] = ast.literal_eval(statement.value)
json.dump(found, sys.stdout)
