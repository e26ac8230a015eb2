"""Reads the tasks of a daemon. Arguments: the address and the root. The token comes from standard input."""
import json, ssl, sys, urllib.request

origin, root = sys.argv[1:]
token = sys.stdin.read().strip()
context = ssl.create_default_context(cafile=root)
request = urllib.request.Request(f"{origin}/api/v1/tasks?limit=100", headers={"Authorization": f"Bearer {token}"})
with urllib.request.urlopen(request, context=context, timeout=30) as response:
    print(json.dumps({"status": response.status, "body": json.load(response)}))
